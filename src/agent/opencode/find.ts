import { asFields, asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { LazyEnv, RecordFiles } from '../seam/record.ts';
import { CLOCK_SLACK_MS, isStartOf, type LostConversation, type RecordSearch } from '../seam/record-search.ts';
import { plainKey } from '../seam/text-key.ts';
import { partOf } from './rows.ts';
import { databaseOf } from './sources.ts';

/**
 * What users said in the conversations of some folders, `$id` as a JSON list, that began since then. There are few of
 * those; their messages and parts are found by indexes. A sub-agent's conversation has a parent.
 */
const QUERY = `
  SELECT json_object('id', session.id, 'directory', session.directory, 'created', session.time_created,
      'message', message.id, 'data', json(part.data)) AS line, session.time_created AS at
    FROM session
    JOIN message ON message.session_id = session.id
    JOIN part ON part.message_id = message.id
    WHERE session.time_created >= $since AND session.parent_id IS NULL
      AND session.directory IN (SELECT value FROM json_each($id)) AND json_extract(message.data, '$.role') = 'user'
    ORDER BY 2, message.id, part.id`;

/** Looks through the conversations that began in the folder while the run lived. */
export function findOpencode(files: RecordFiles, env: LazyEnv, lost: LostConversation): RecordSearch {
  const path = databaseOf(env());
  const since = Math.floor(lost.sinceMs) - CLOCK_SLACK_MS;
  const source = { is: 'database', path, query: QUERY, id: JSON.stringify(lost.workspaces), since } as const;
  return { sources: files.isThere(path) ? [source] : [], reader: fitting(lost) };
}

/** The texts of each message, by its id. */
type Messages = ReadonlyMap<string, { readonly conversation: string; readonly texts: readonly string[] }>;

function fitting(lost: LostConversation): LineReader<Messages, readonly string[]> {
  return {
    empty: new Map(),
    read: (known, lines) => {
      const next = new Map(known);
      for (const line of readJsonLines(lines).lines) if (line.is === 'object') add(next, line.fields, lost);
      return next;
    },
    view: (known) => {
      const isAsked = (texts: readonly string[]): boolean => lost.keys.includes(plainKey(texts.join('\n')));
      return [...known.values()].flatMap(({ conversation, texts }) => (isAsked(texts) ? [conversation] : []));
    },
  };
}

function add(
  known: Map<string, { conversation: string; texts: readonly string[] }>,
  row: Fields,
  lost: LostConversation,
) {
  const [id, workspace, message] = [asText(row.id), asText(row.directory), asText(row.message)];
  const part = partOf(asFields(row.data) ?? {});
  if (id === null || workspace === null || message === null || part?.is !== 'text') return;
  if (!isStartOf(lost, { id, workspace, atMs: asNumber(row.created) })) return;
  known.set(message, { conversation: id, texts: [...(known.get(message)?.texts ?? []), part.text] });
}
