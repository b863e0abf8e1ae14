import type { Files, Judgement, Listed, Store, Stored, StoreRow } from '../seam/conversations.ts';
import { asText, type Fields, readObject } from '../seam/json.ts';

/** How many messages and parts of the last turn are read: the newest. */
const MESSAGES_MAX = 200;
const PARTS_MAX = 500;
const TEXT_CHARS_MAX = 20_000;

/** The conversations of OpenCode: all of them are in one database. It resumes none by itself. */
export const opencodeStored: Stored = { stores, keeper: () => null, listed };

const FILE = 'opencode.db';

function stores(files: Files, home: string): Store[] {
  const common = { home, owner: 'opencode', ...QUERIES };
  return files.names(home).includes(FILE) ? [{ ...common, path: `${home}/${FILE}` }] : [];
}

/** A conversation of a sub-agent or in the archive is not resumed, so its end is not read. */
const COLUMNS = `session.id AS key, session.id AS id, session.time_updated AS at_ms,
  (session.parent_id IS NULL AND session.time_archived IS NULL AND session.revert IS NULL
    AND session.workspace_id IS NULL) AS "end",
  json_object('directory', session.directory, 'worktree', project.worktree, 'parent', session.parent_id,
    'archived', session.time_archived, 'reverted', session.revert, 'remote', session.workspace_id) AS status`;
const SESSIONS = 'session LEFT JOIN project ON project.id = session.project_id';

/** The message in which somebody last asked for something. What OpenCode adds by itself is marked. */
const ASKED = `
  SELECT message.id, message.time_created FROM message
    WHERE message.session_id = $id AND iif(json_valid(message.data), message.data ->> 'role', NULL) = 'user'
      AND EXISTS (SELECT 1 FROM part WHERE part.message_id = message.id AND json_valid(part.data)
        AND part.data ->> 'type' <> 'compaction' AND coalesce(part.data ->> 'synthetic', 0) = 0)
    ORDER BY message.time_created DESC, message.id DESC LIMIT 1`;

/** A part without what no verdict needs: the results of calls, and what the model said. */
const PART = `CASE
  WHEN NOT json_valid(part.data) THEN NULL
  WHEN part.data ->> 'type' = 'tool' THEN json_object('type', 'tool', 'tool', part.data ->> 'tool',
    'callID', part.data ->> 'callID', 'state', json_object('status', part.data ->> '$.state.status',
      'error', part.data ->> '$.state.error', 'input',
      json(iif(part.data ->> '$.state.status' IN ('pending', 'running'),
        coalesce(part.data -> '$.state.input', 'null'), 'null'))))
  WHEN part.data ->> 'type' = 'text' THEN json_object('type', 'text', 'synthetic', part.data -> 'synthetic',
    'metadata', part.data -> 'metadata',
    'text', iif(turn.role = 'user', substr(part.data ->> 'text', 1, ${TEXT_CHARS_MAX}), ''))
  ELSE json_object('type', part.data ->> 'type', 'auto', part.data -> 'auto') END`;

const PARTS = `
  SELECT json_object('table', 'part', 'id', part.id, 'message_id', part.message_id, 'data', json(${PART})),
      NULL, part.time_updated
    FROM turn CROSS JOIN part ON part.message_id = turn.id`;

/** The last turn: all since somebody asked, newest first. Both tables have an index by what is looked for. */
const END = `
  WITH asked AS (${ASKED}),
  newest AS (
    SELECT id FROM message WHERE session_id = $id AND time_created >= coalesce((SELECT time_created FROM asked), 0)
      ORDER BY time_created DESC, id DESC LIMIT ${MESSAGES_MAX}),
  turn AS (
    SELECT id, time_updated, iif(json_valid(data), data, NULL) AS data,
        iif(json_valid(data), data ->> 'role', NULL) AS role
      FROM message WHERE id IN (SELECT id FROM newest UNION SELECT id FROM asked))
  SELECT json_object('table', 'message', 'id', id, 'data', json(json_remove(data, '$.summary.diffs'))) AS text,
      NULL AS zstd, time_updated AS at_ms FROM turn
  UNION ALL SELECT * FROM (
    ${PARTS} WHERE turn.role IS 'user' ORDER BY part.time_updated DESC LIMIT ${PARTS_MAX})
  UNION ALL SELECT * FROM (
    ${PARTS} WHERE turn.role IS NOT 'user' ORDER BY part.time_updated DESC LIMIT ${PARTS_MAX})
  ORDER BY at_ms DESC`;

const QUERIES = {
  newest: `SELECT ${COLUMNS} FROM ${SESSIONS} WHERE session.time_updated >= $sinceMs
    ORDER BY session.time_updated DESC LIMIT $rowsMax`,
  one: `SELECT ${COLUMNS} FROM ${SESSIONS} WHERE session.id = $id`,
  end: END,
  size: 'SELECT coalesce(sum(length(data)), 0) AS bytes FROM message WHERE session_id = $id',
};

function listed(store: Store, row: StoreRow): Listed {
  const { path, home } = store;
  const judgement = judgementOf(rowFacts(row));
  return { id: row.id, path, home, key: null, owner: null, claim: null, judgement, stored: { store, row } };
}

/** What the row of a conversation says about it. */
export function rowFacts({ status }: StoreRow): Fields {
  return readObject(status ?? '') ?? {};
}

function judgementOf({ parent, archived, reverted, remote }: Fields): Judgement | null {
  if (asText(parent) !== null) return { is: 'system', why: 'it belongs to a sub-agent' };
  if (typeof archived === 'number') return { is: 'complete', why: 'a person has archived it' };
  if (asText(reverted) !== null) return { is: 'complete', why: 'a person has taken back its last messages' };
  return asText(remote) === null ? null : { is: 'unknown', why: 'it is in a workspace of OpenCode' };
}
