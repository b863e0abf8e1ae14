import type { Event, EventBody, InputId } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import type { Spent } from '../core/usage.ts';
import type { AuditHead, AuditNote, AuditRow } from './audit.ts';
import type { ScheduleStore } from './schedules.ts';

/** Position in this host's journal. Only ever grows. A reader needs nothing else. */
export type Position = number & { readonly brand: 'Position' };

/** Where events live. One writer; any number of readers, each with a position of its own. */
export interface Journal {
  /** Identifies this journal: a rebuilt or restored one has a new id. */
  readonly id: string;

  /**
   * Durable when it returns. All events of one call are kept, or none. 'seen': this cause was recorded before, nothing
   * was written. 'stale': the session has moved past afterSeq; fold and decide again. A cause is recorded also when it
   * brings no events. More writes to the same session are kept together with the first: one sync for all. None of them
   * was recorded before.
   */
  append(write: Write, ...more: readonly Write[]): Position | 'seen' | 'stale';

  /** Events after a position, of all sessions or of one, oldest first. Rows that cannot be read are left out. */
  read(after: Position, eventsMax: number, session?: SessionId | null): readonly Entry[];

  /** One session from its beginning, as far as it can be read. */
  session(id: SessionId): History;

  /** One event; null when it is gone or cannot be read. */
  event(session: SessionId, seq: number): Event | null;

  /** Is anything of this session in the journal, also after it was removed? */
  knows(session: SessionId): boolean;

  /** The session for which an input was recorded; null when it was not. */
  taken(cause: InputId): SessionId | null;

  /** Sessions that have not ended. */
  live(): readonly SessionId[];

  /** The newest position. */
  head(): Position;

  /** Sessions as `list` shows them: a projection, kept in the same transaction as the events. */
  list(query: ListQuery): readonly Row[];

  /** The session with this id, else the live one with this name, else the newest ended one. */
  find(idOrName: string): Row | null;

  /** Sessions whose id begins with this, oldest first, without removed ones. */
  beginning(prefix: string, limit: number): readonly Row[];

  /** A session and all that have it as the root of their owners, also removed ones until they are purged. */
  tree(root: SessionId): readonly Row[];

  /** Resumes after faults since this steady time, also of sessions that ended or were removed since. */
  resumes(sinceSteadyMs: number): number;

  count(): { readonly live: number; readonly all: number };

  /** A reader's saved position, 0 at first. Reader names look like 'notice:desktop' or 'reader:ID:poll'. */
  cursor(reader: string): number;
  saveCursor(reader: string, position: number): void;

  /** Deletes the events and readers of removed sessions that ended before this time; their input ids stay recorded. */
  purge(beforeMs: number): number;

  /** Decisions about tool calls, written with the events that made them, and kept when those are purged. */
  audit(query: AuditQuery): readonly AuditRow[];

  /** Adds an audit row that belongs to no session. Durable when it returns. */
  note(note: AuditNote, atMs: number): AuditRow;

  /** The last audit row. */
  auditHead(): AuditHead;

  /** Calls back after each append, in this process. It only says where to look; readers read from a position. */
  onAppend(look: (session: SessionId) => void): () => void;

  /** Usage from this time on, oldest first. Kept also when its session is removed and purged. */
  usage(sinceMs: number): readonly UsageRow[];

  /** The schedules of this host. */
  readonly schedules: ScheduleStore;

  /** A durable fact about this host, such as its last boot. */
  fact(key: string): string | null;
  saveFact(key: string, value: string): void;

  close(): void;
}

export interface Write {
  readonly session: SessionId;
  readonly afterSeq: number;
  readonly events: readonly EventBody[];
  readonly cause: InputId | null;
  readonly atMs: number;
  readonly steadyMs: number;
}

export interface Entry {
  readonly position: Position;
  readonly event: Event;
}

export interface History {
  readonly events: readonly Event[];
  /** The position of the first record that cannot be read. What follows it is not trusted. */
  readonly unreadableAt: Position | null;
}

/** The usage of one model in one turn, or in the rest of one. */
export interface UsageRow extends Spent {
  /** Wall time. */
  readonly atMs: number;
  readonly session: SessionId;
  readonly name: string | null;
  readonly turns: number;
}

export interface ListQuery {
  /** every: also those that were removed, until they are purged. */
  readonly state: 'live' | 'ended' | 'all' | 'every';
  readonly limit: number;
  /** Only sessions older than this id. */
  readonly before?: string;
}

export interface AuditQuery {
  /** Only rows after this number. */
  readonly after: number;
  readonly limit: number;
  /** Only those about this question. */
  readonly approval?: string;
}

/** One session as the projection has it. */
export interface Row {
  readonly session: Session;
  readonly live: boolean;
  readonly endedAtMs: number | null;
  /** Position of its last event. */
  readonly position: Position;
  readonly unreadableAt: Position | null;
}
