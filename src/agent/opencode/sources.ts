import type { LazyEnv, RecordFiles, RecordSources, WhichConversation } from '../seam/record.ts';

/** The changed rows of one conversation, one per line. Both tables have an index by conversation. */
const QUERY = `
  SELECT json_object('table', 'message', 'id', id, 'data', json(data)) AS line, time_updated AS at
    FROM message WHERE session_id = $id AND time_updated >= $since
  UNION ALL
  SELECT json_object('table', 'part', 'id', id, 'message_id', message_id, 'data', json(data)), time_updated
    FROM part WHERE session_id = $id AND time_updated >= $since
  ORDER BY 2, 1`;

/** The folder where OpenCode keeps its files. */
export function opencodeHome(env: Readonly<Record<string, string>>): string {
  return `${env.XDG_DATA_HOME || `${env.HOME ?? ''}/.local/share`}/opencode`;
}

/** The database with all of its conversations. */
export function databaseOf(env: Readonly<Record<string, string>>): string {
  return `${opencodeHome(env)}/opencode.db`;
}

/** Where OpenCode records conversations: all of them in one database. */
export function opencodeSources(files: RecordFiles, env: LazyEnv, { id }: WhichConversation): RecordSources {
  const path = databaseOf(env());
  return {
    main: id === null || !files.isThere(path) ? null : { is: 'database', path, query: QUERY, id },
    // A sub-agent has a conversation of its own, which only its parent names.
    sides: () => [],
    place: () => (id === null ? null : path),
  };
}
