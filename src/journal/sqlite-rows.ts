import { crc32 } from 'node:zlib';
import { OutlastError } from '../base/errors.ts';
import { causeOf } from '../core/cause.ts';
import type { Event, InputId } from '../core/event.ts';
import { apply } from '../core/fold.ts';
import type { Session, SessionId } from '../core/session.ts';
import { readBody } from '../core/stored-body.ts';
import type { History, ListQuery, Position, Row, UsageRow } from './journal.ts';
import { project } from './project.ts';

/** Busy, read-only, full, cannot open: the transaction was rolled back, and the disk is unchanged. */
const PASSING = new Set([5, 8, 13, 14]);

/**
 * The condition for each list. The plus keeps SQLite from an index that it would have to sort: by id alone the rows
 * come in order.
 */
export const WHICH: Readonly<Record<ListQuery['state'], string>> = {
  live: 'removed = 0 AND live = 1',
  ended: 'removed = 0 AND live = 0',
  all: '+removed = 0',
  every: '+removed >= 0',
};

/** The error of a transaction that was rolled back; null when the state of the disk is not known. */
export function journalError(cause: unknown): unknown {
  const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : null;
  if (code === null) return cause;
  if (!PASSING.has(code)) return null;
  return new OutlastError('journal_failed', `cannot write the journal: ${wordsOf(cause)}`, { cause });
}

/** A row of the projection, or null when it is damaged. */
function rowOf(row: Record<string, unknown>): Row | null {
  try {
    return {
      session: JSON.parse(String(row.state)) as Session,
      live: row.live === 1,
      // For a session that was resumed, older versions kept the time of its earlier end.
      endedAtMs: row.live === 1 ? null : (row.ended_at_ms as number | null),
      position: row.position as Position,
      unreadableAt: row.unreadable_at as Position | null,
    };
  } catch {
    return null;
  }
}

/**
 * Rows of the projection. One that cannot be read is folded again from its events, and left out when they cannot be
 * read either. `made` has those that were folded from a complete history.
 */
export function rowsOf(
  lines: readonly Record<string, unknown>[],
  historyOf: (id: SessionId) => History,
): { readonly rows: Row[]; readonly made: readonly Row[] } {
  const made: Row[] = [];
  const rows = lines.flatMap((line) => {
    const known = rowOf(line);
    if (known !== null) return known;
    const row = remadeRow(line, historyOf(line.id as SessionId));
    if (row?.unreadableAt === null) made.push(row);
    return row ?? [];
  });
  return { rows, made };
}

function remadeRow(line: Record<string, unknown>, { events, unreadableAt }: History): Row | null {
  const position = Number(line.position) as Position;
  const made = events.reduce<Row | null>((before, event) => project(before, event, position), null);
  return made && { ...made, unreadableAt };
}

/** A row of the projection, in the order of its columns. */
export function valuesOf({ session, live, endedAtMs, position, unreadableAt }: Row): (string | number | null)[] {
  const {
    id,
    spec,
    removed,
    owner,
    recovery: { resumedAtMs },
  } = session;
  const state = JSON.stringify(session);
  const resumedMs = resumedAtMs.at(-1) ?? null;
  const flags = [Number(live), Number(removed)];
  return [id, spec.name, ...flags, endedAtMs, position, unreadableAt, state, resumedMs, owner?.root ?? null];
}

/** The session after one more event, or null when it cannot follow: a gap, or a type that a newer version wrote. */
export function applied(session: Session | null, event: Event): Session | null {
  try {
    return apply(session, event);
  } catch {
    return null;
  }
}

/** The event of a row, or null when the row is damaged. */
export function eventOf(row: Record<string, unknown>): Event | null {
  try {
    const text = String(row.body);
    if (crc32(text) !== row.crc) return null;
    return {
      session: row.session as SessionId,
      seq: Number(row.seq),
      atMs: Number(row.at_ms),
      steadyMs: Number(row.steady_ms),
      cause: row.cause === null ? null : causeOf(row.cause as InputId),
      body: readBody(JSON.parse(text)),
    };
  } catch {
    return null;
  }
}

/** A usage row. */
export function usageRowOf(row: Record<string, unknown>): UsageRow {
  return {
    atMs: Number(row.at_ms),
    session: row.session as SessionId,
    name: row.name as string | null,
    model: row.model as string | null,
    turns: Number(row.turns),
    tokens: Number(row.tokens),
    usd: row.usd as number | null,
    ...kindsOfRow(row),
  };
}

/** A row of an agent that does not tell tokens apart has no kinds; a database that is older has no columns for them. */
function kindsOfRow({ input, output, cache_read, cache_write }: Record<string, unknown>): Pick<UsageRow, 'byKind'> {
  if (input === null || input === undefined) return {};
  const [read, written, cacheRead, cacheWrite] = [input, output, cache_read, cache_write].map(Number);
  return { byKind: { input: read ?? 0, output: written ?? 0, cacheRead: cacheRead ?? 0, cacheWrite: cacheWrite ?? 0 } };
}

/** The text of an error, for a message. */
export function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Sessions whose ids are between two texts. By the index: `~` comes after every character of an id. */
export const BEGINNING = 'SELECT * FROM sessions WHERE id >= ? AND id < ? AND +removed = 0 ORDER BY id LIMIT ?';
