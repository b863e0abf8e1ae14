import { assert } from '../base/assert.ts';
import { newShortId } from '../base/ids.ts';
import type { Event, InputId } from '../core/event.ts';
import type { SessionId } from '../core/session.ts';
import { type AuditHead, type AuditNote, type AuditRow, auditRow, NO_HASH, noteRow } from './audit.ts';
import type { AuditQuery, Entry, History, Journal, ListQuery, Position, Row, UsageRow, Write } from './journal.ts';
import { MemorySchedules } from './memory-schedules.ts';
import { eventsOf, project } from './project.ts';
import { usageRows } from './usage-rows.ts';

/** The journal in memory, with the same guarantees except durability. For tests and the simulator. */
export function memoryJournal(): Journal {
  return new MemoryJournal();
}

class MemoryJournal implements Journal {
  readonly id = newShortId();
  readonly schedules = new MemorySchedules();
  #entries: Entry[] = [];
  #head = 0 as Position;
  readonly #rows = new Map<SessionId, Row>();
  readonly #inputs = new Map<InputId, SessionId>();
  readonly #cursors = new Map<string, number>();
  readonly #audit: AuditRow[] = [];
  readonly #facts = new Map<string, string>();
  readonly #usage: UsageRow[] = [];
  readonly #looks = new Set<(session: SessionId) => void>();

  append(write: Write, ...more: readonly Write[]): Position | 'seen' | 'stale' {
    const first = this.#append(write);
    if (typeof first === 'string') return first;
    for (const each of more) assert(typeof this.#append(each) === 'number', 'writes that are kept together follow');
    for (const look of this.#looks) look(write.session);
    return this.#head;
  }

  #append(write: Write): Position | 'seen' | 'stale' {
    if (write.cause !== null && this.#inputs.has(write.cause)) return 'seen';
    const row = this.#rows.get(write.session) ?? null;
    if ((row?.session.seq ?? 0) !== write.afterSeq) return 'stale';
    if (write.cause !== null) this.#inputs.set(write.cause, write.session);
    for (const event of eventsOf(write)) {
      this.#head = (this.#head + 1) as Position;
      this.#entries.push({ position: this.#head, event });
      const before = this.#rows.get(write.session) ?? null;
      const audited = auditRow(event, before?.session ?? null, () => this.auditHead());
      if (audited !== null) this.#audit.push(audited);
      this.#usage.push(...usageRows(before?.session ?? null, event));
      this.#rows.set(write.session, project(before, event, this.#head));
    }
    return this.#head;
  }

  read(after: Position, eventsMax: number, session: SessionId | null = null): readonly Entry[] {
    const isWanted = (entry: Entry): boolean => session === null || entry.event.session === session;
    return this.#entries.filter((entry) => entry.position > after && isWanted(entry)).slice(0, eventsMax);
  }

  session(id: SessionId): History {
    const own = this.#entries.filter((entry) => entry.event.session === id);
    return { events: own.map((entry) => entry.event), unreadableAt: null };
  }

  event(id: SessionId, seq: number): Event | null {
    return this.#entries.find(({ event }) => event.session === id && event.seq === seq)?.event ?? null;
  }

  knows(session: SessionId): boolean {
    return this.#rows.has(session);
  }

  taken(cause: InputId): SessionId | null {
    return this.#inputs.get(cause) ?? null;
  }

  live(): readonly SessionId[] {
    return [...this.#rows.values()].filter((row) => row.live).map((row) => row.session.id);
  }

  head(): Position {
    return this.#head;
  }

  list({ state, limit, before }: ListQuery): readonly Row[] {
    const rows = state === 'every' ? [...this.#rows.values()].reverse() : this.#shown();
    return rows
      .filter((row) => state === 'all' || state === 'every' || row.live === (state === 'live'))
      .filter((row) => before === undefined || row.session.id < before)
      .slice(0, limit);
  }

  find(word: string): Row | null {
    const byId = this.#rows.get(word as SessionId);
    if (byId !== undefined) return byId.session.removed ? null : byId;
    const named = this.#shown().filter((row) => row.session.spec.name === word);
    return named.find((row) => row.live) ?? named[0] ?? null;
  }

  beginning(prefix: string, limit: number): readonly Row[] {
    return this.#shown()
      .filter((row) => row.session.id.startsWith(prefix))
      .reverse()
      .slice(0, limit);
  }

  tree(root: SessionId): readonly Row[] {
    return [...this.#rows.values()].filter(({ session }) => session.id === root || session.owner?.root === root);
  }

  resumes(sinceSteadyMs: number): number {
    const all = [...this.#rows.values()].flatMap(({ session }) => session.recovery.resumedAtMs);
    return all.filter((atMs) => atMs >= sinceSteadyMs).length;
  }

  count(): { live: number; all: number } {
    return { live: this.live().length, all: this.#shown().length };
  }

  cursor(reader: string): number {
    return this.#cursors.get(reader) ?? 0;
  }

  saveCursor(reader: string, position: number): void {
    this.#cursors.set(reader, position);
  }

  purge(beforeMs: number): number {
    const past = [...this.#rows.values()].filter((row) => isPast(row, beforeMs)).map((row) => row.session.id);
    const kept = this.#entries.filter((entry) => !past.includes(entry.event.session));
    const purged = this.#entries.length - kept.length;
    this.#entries = kept;
    for (const id of past) {
      this.#rows.delete(id);
      for (const reader of this.#cursors.keys()) if (reader.startsWith(`reader:${id}:`)) this.#cursors.delete(reader);
    }
    return purged;
  }

  audit({ after, limit, approval }: AuditQuery): readonly AuditRow[] {
    const isWanted = (row: AuditRow): boolean => approval === undefined || row.approval === approval;
    return this.#audit.filter((row) => row.number > after && isWanted(row)).slice(0, limit);
  }

  note(note: AuditNote, atMs: number): AuditRow {
    const row = noteRow(note, atMs, this.auditHead());
    this.#audit.push(row);
    return row;
  }

  auditHead(): AuditHead {
    return this.#audit.at(-1) ?? { number: 0, hash: NO_HASH };
  }

  onAppend(look: (session: SessionId) => void): () => void {
    this.#looks.add(look);
    return () => this.#looks.delete(look);
  }

  usage(sinceMs: number): readonly UsageRow[] {
    return this.#usage.filter(({ atMs }) => atMs >= sinceMs);
  }

  fact(key: string): string | null {
    return this.#facts.get(key) ?? null;
  }

  saveFact(key: string, value: string): void {
    this.#facts.set(key, value);
  }

  close(): void {
    assert(this.#looks.size === 0, 'every reader has left before the journal closes');
  }

  #shown(): Row[] {
    return [...this.#rows.values()].filter((row) => !row.session.removed).reverse();
  }
}

function isPast(row: Row, beforeMs: number): boolean {
  return row.session.removed && row.endedAtMs !== null && row.endedAtMs < beforeMs;
}
