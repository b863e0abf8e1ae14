import type { LazyEnv, RecordFiles, RecordSources, WhichConversation } from '../seam/record.ts';
import { geminiHome } from './settings.ts';

/**
 * Where Gemini CLI records a conversation: in a file named after the minute in which it began and the start of its id.
 * Each resume in a later minute leaves another file, without the conversation.
 */
export function geminiSources(files: RecordFiles, env: LazyEnv, { id }: WhichConversation): RecordSources {
  const path = id === null ? null : oldest(files, `${geminiHome(env())}/tmp`, id);
  return {
    main: path === null ? null : { is: 'file', path },
    sides: () => [],
    place: () => (id === null ? null : `${geminiHome(env())}/tmp/*/chats/session-*-${id.slice(0, 8)}.jsonl`),
  };
}

const NAME = /\/session-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-[^/]*$/;

/** The minute in which the conversation in this file began, wall time; null: this is no such file. */
export function minuteOf(path: string): number | null {
  const found = NAME.exec(path);
  const atMs = found === null ? Number.NaN : Date.parse(`${found[1]}T${found[2]}:${found[3]}:00Z`);
  return Number.isNaN(atMs) ? null : atMs;
}

function oldest(files: RecordFiles, folder: string, id: string): string | null {
  const end = `-${id.slice(0, 8)}.jsonl`;
  const found = files.names(folder).flatMap((project) => {
    const names = files.names(`${folder}/${project}/chats`);
    return names.flatMap((name) =>
      name.startsWith('session-') && name.endsWith(end) ? [{ name, path: `${folder}/${project}/chats/${name}` }] : [],
    );
  });
  const sorted = found.filter(({ path }) => files.isThere(path)).sort((a, b) => (a.name < b.name ? -1 : 1));
  return sorted[0]?.path ?? null;
}
