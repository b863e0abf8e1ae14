import { idAt, tagOf } from './index-writer.ts';
import type { Kind } from './pieces.ts';
import { expressionOf, type Term } from './query.ts';
import type { QueryThread, Row } from './query-thread.ts';

/** What is searched for, and where. */
export interface Wanted {
  readonly terms: readonly Term[];
  readonly kinds: readonly Kind[];
  readonly agent: string | null;
  readonly session: string | null;
  /** Only conversations in this folder or below it. */
  readonly workspace: string | null;
  /** Only what Outlast started. */
  readonly isOurs: boolean;
  /** Only texts from this time on. */
  readonly sinceMs: number;
  /** Only texts before this one. */
  readonly before: number;
  readonly limit: number;
}

/** A text that was found. */
export interface Hit {
  readonly id: number;
  readonly atMs: number;
  readonly turn: number;
  readonly kind: Kind;
  readonly text: string;
  readonly agent: string;
  readonly conversation: string;
  readonly session: string | null;
  readonly cwd: string | null;
  readonly path: string;
}

/** A search in few conversations asks the index for these alone. */
const SOURCES_MAX = 200;

/** The newest texts with all terms in them. */
export async function find(thread: Pick<QueryThread, 'ask'>, wanted: Wanted): Promise<Hit[]> {
  const sources = await sourcesOf(thread, wanted);
  if (sources?.length === 0) return [];
  const few = sources !== null && sources.length <= SOURCES_MAX ? sources : null;
  const rest = sources !== null && few === null ? `AND ${SOURCE}` : '';
  const sql = `
    SELECT piece.id, piece.at, piece.turn, piece.kind, piece.text,
      source.agent, source.conversation, source.session, source.cwd, source.path
    FROM words CROSS JOIN piece ON piece.id = words.rowid CROSS JOIN source ON source.id = piece.source
    WHERE words MATCH $words AND words.rowid < $before AND words.rowid >= $since ${rest}
    ORDER BY words.rowid DESC LIMIT $limit`;
  const { before, sinceMs, limit } = wanted;
  const values = { words: matchOf(wanted, few), before, since: idAt(sinceMs), limit };
  const rows = await thread.ask(sql, rest === '' ? values : { ...values, ...sourceValues(wanted) });
  return rows.map(hitOf);
}

const SOURCE = `($session IS NULL OR source.session = $session) AND (NOT $isOurs OR source.session IS NOT NULL)
  AND ($workspace IS NULL OR source.cwd = $workspace OR substr(source.cwd, 1, $below) = $workspace || '/')`;

function sourceValues({ session, isOurs, workspace }: Wanted) {
  const folder = workspace === '/' ? '' : workspace;
  return { session, isOurs: isOurs ? 1 : 0, workspace: folder, below: folder === null ? 0 : folder.length + 1 };
}

/** The conversations that are searched, one more than are counted; null: all are. */
async function sourcesOf(thread: Pick<QueryThread, 'ask'>, wanted: Wanted): Promise<readonly number[] | null> {
  if (wanted.session === null && wanted.workspace === null && !wanted.isOurs) return null;
  const sql = `SELECT id FROM source WHERE ${SOURCE} LIMIT ${SOURCES_MAX + 1}`;
  const rows = await thread.ask(sql, sourceValues(wanted));
  return rows.map(({ id }) => Number(id));
}

function matchOf({ terms, kinds, agent }: Wanted, sources: readonly number[] | null): string {
  const any = (tags: readonly string[]): string[] => (tags.length === 0 ? [] : [`tags : (${tags.join(' OR ')})`]);
  return [
    `text : (${expressionOf(terms)})`,
    ...any(kinds.map((kind) => tagOf('kind', kind))),
    ...any(agent === null ? [] : [tagOf('agent', agent)]),
    ...any((sources ?? []).map((id) => tagOf('source', id))),
  ].join(' AND ');
}

function hitOf(row: Row): Hit {
  const { id, at, turn, kind, text, agent, conversation, session, cwd, path } = row as Readonly<Record<string, string>>;
  return {
    ...{ id: Number(id), atMs: Number(at), turn: Number(turn), kind: kind as Kind, text: String(text) },
    ...{ agent: String(agent), conversation: String(conversation), path: String(path) },
    ...{ session: session ?? null, cwd: cwd ?? null },
  };
}
