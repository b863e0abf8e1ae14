import { assert } from '../base/assert.ts';
import type { Event, InputId } from '../core/event.ts';
import type { SessionId } from '../core/session.ts';
import type { Entry, Journal, Position, Row, Write } from './journal.ts';
import { eventsOf, project } from './project.ts';

/** The journal in memory, with the same promises but durability. For tests and the simulator. */
export function memoryJournal(): Journal {
  let entries: Entry[] = [];
  const rows = new Map<SessionId, Row>();
  const inputs = new Map<InputId, SessionId>();
  const cursors = new Map<string, number>();
  const facts = new Map<string, string>();
  const looks = new Set<() => void>();
  let head = 0 as Position;

  const append = (write: Write): Position | 'seen' | 'stale' => {
    if (write.cause !== null && inputs.has(write.cause)) return 'seen';
    const row = rows.get(write.session) ?? null;
    if ((row?.session.seq ?? 0) !== write.afterSeq) return 'stale';
    if (write.cause !== null) inputs.set(write.cause, write.session);
    for (const event of eventsOf(write)) {
      head = (head + 1) as Position;
      entries.push({ position: head, event });
      rows.set(write.session, project(rows.get(write.session) ?? null, event, head));
    }
    for (const look of looks) look();
    return head;
  };

  const shown = (): Row[] => [...rows.values()].filter((row) => !row.session.removed).reverse();
  const isNamed = (row: Row, word: string): boolean => row.session.spec.name === word;

  return {
    append,
    read: (after, eventsMax) => {
      const from = entries.findIndex((entry) => entry.position > after);
      return from < 0 ? [] : entries.slice(from, from + eventsMax);
    },
    session: (id) => ({ events: eventsOfSession(entries, id), unreadableAt: null }),
    taken: (cause) => inputs.get(cause) ?? null,
    live: () => [...rows.values()].filter((row) => row.live).map((row) => row.session.id),
    head: () => head,
    list: ({ state, limit, before }) =>
      shown()
        .filter((row) => state === 'all' || row.live === (state === 'live'))
        .filter((row) => before === undefined || row.session.id < before)
        .slice(0, limit),
    find: (word) => {
      const byId = rows.get(word as SessionId);
      if (byId !== undefined) return byId.session.removed ? null : byId;
      const named = shown().filter((row) => isNamed(row, word));
      return named.find((row) => row.live) ?? named[0] ?? null;
    },
    count: () => ({ live: [...rows.values()].filter((row) => row.live).length, all: shown().length }),
    cursor: (reader) => cursors.get(reader) ?? 0,
    saveCursor: (reader, position) => {
      cursors.set(reader, position);
    },
    purge: (beforeMs) => {
      const dead = new Set([...rows.values()].filter((r) => isPast(r, beforeMs)).map((r) => r.session.id));
      const kept = entries.filter((entry) => !dead.has(entry.event.session));
      const purged = entries.length - kept.length;
      entries = kept;
      for (const id of dead) rows.delete(id);
      return purged;
    },
    onAppend: (look) => {
      looks.add(look);
      return () => looks.delete(look);
    },
    fact: (key) => facts.get(key) ?? null,
    saveFact: (key, value) => {
      facts.set(key, value);
    },
    close: () => assert(looks.size === 0, 'every reader has left before the journal closes'),
  };
}

function eventsOfSession(entries: readonly Entry[], id: SessionId): Event[] {
  return entries.filter((entry) => entry.event.session === id).map((entry) => entry.event);
}

function isPast(row: Row, beforeMs: number): boolean {
  return row.session.removed && row.endedAtMs !== null && row.endedAtMs < beforeMs;
}
