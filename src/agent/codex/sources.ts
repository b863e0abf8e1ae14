import type { LazyEnv, RecordFiles, RecordSources, WhichConversation } from '../seam/record.ts';

const DAY_MS = 24 * 3_600_000;
/** The first 48 bits of such an id are its creation time. */
const TIMED = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;

/** The folder where Codex keeps its files. */
export function codexHome(env: Readonly<Record<string, string>>): string {
  return (env.CODEX_HOME || `${env.HOME ?? ''}/.codex`).replace(/\/+$/, '');
}

/** Where Codex records a conversation: below its sessions, by the day on which it began. */
export function codexSources(files: RecordFiles, env: LazyEnv, { id, reported }: WhichConversation): RecordSources {
  const path = reported !== null && files.isThere(reported) ? reported : id === null ? null : found(files, env, id);
  return {
    main: path === null ? null : { is: 'file', path },
    // Sub-agents have conversations of their own, which only they name.
    sides: () => [],
    place: () => reported ?? (id === null ? null : `${codexHome(env())}/sessions/*/*/*/rollout-*-${id}.jsonl`),
  };
}

function found(files: RecordFiles, env: LazyEnv, id: string): string | null {
  const sessions = `${codexHome(env())}/sessions`;
  const below = (folders: readonly string[]): string[] =>
    folders.flatMap((folder) => files.names(folder).map((name) => `${folder}/${name}`));
  const days = daysOf(id)?.map((day) => `${sessions}/${day}`) ?? below(below(below([sessions])));
  const paths = below(days).filter((path) => path.endsWith(`-${id}.jsonl`));
  return paths.find(files.isThere) ?? null;
}

/** The day of the id, and the days next to it: the folders are named in local time. */
function daysOf(id: string): string[] | null {
  const [, high, low] = TIMED.exec(id) ?? [];
  if (high === undefined || low === undefined) return null;
  const atMs = Number.parseInt(`${high}${low}`, 16);
  return [0, -1, 1].map((more) => new Date(atMs + more * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/'));
}
