import type { LazyEnv, RecordFiles, RecordSource, RecordSources, WhichConversation } from '../seam/record.ts';
import { type Dialect, homeOf } from './dialect.ts';

/** Where Claude Code records a conversation: in a folder below its projects, in a file named after the id. */
export function claudeSources(
  dialect: Dialect,
  files: RecordFiles,
  env: LazyEnv,
  { id, reported }: WhichConversation,
): RecordSources {
  const projects = (): string => `${homeOf(dialect, env()).replace(/\/+$/, '')}/projects`;
  const found = (): string | null => {
    const folder = projects();
    const paths = files.names(folder).map((name) => `${folder}/${name}/${id}.jsonl`);
    return paths.find(files.isThere) ?? null;
  };
  const path = reported !== null && files.isThere(reported) ? reported : id === null ? null : found();
  return {
    main: path === null ? null : { is: 'file', path },
    sides: () => (path === null ? [] : sidesOf(files, path)),
    place: () => reported ?? (id === null ? null : `${projects()}/*/${id}.jsonl`),
  };
}

/** Sub-agents write into a folder beside the transcript. */
function sidesOf(files: RecordFiles, path: string): RecordSource[] {
  const folder = `${path.replace(/\.jsonl$/, '')}/subagents`;
  const names = files.names(folder).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => ({ is: 'file', path: `${folder}/${name}` }));
}
