import type { Actor } from '../actor.ts';
import type { SessionId } from '../session.ts';
import type { ScheduleId } from '../spec.ts';

export type { ScheduleId } from '../spec.ts';

// A schedule keeps a start request and says when it is carried out. Its events are in the journal, in a stream of their
// own; the state is their fold. The request itself, with the environment of the caller, is a file.

/** When it starts sessions: once, or at every time that matches a cron expression. */
export type When = { readonly kind: 'at'; readonly atMs: number } | { readonly kind: 'every'; readonly cron: string };

/** What the caller asked for. It never changes. */
export interface ScheduleSpec {
  readonly name: string | null;
  readonly when: When;
  /** The IANA name of the caller's time zone. */
  readonly timeZone: string;
  /** What happens with planned times that passed while the daemon was not running. */
  readonly missed: MissedPolicy;
  /** What happens at a planned time while the last session of the schedule still works. */
  readonly overlap: OverlapPolicy;
  /** No planned time after this one counts; null: no end. */
  readonly untilMs: number | null;
  /** It ends after this many sessions; null: no limit. */
  readonly startsMax: number | null;
  /** What it starts, for people. */
  readonly what: { readonly agent: string | null; readonly text: string; readonly workspace: string };
  /** The session that made it, which owns the sessions that it starts; null: a person or program did. */
  readonly owner: SessionId | null;
  /** The idempotency key of the request; null: none. */
  readonly key: string | null;
}

/** run: one session for all that was missed. skip: none. */
export type MissedPolicy = 'run' | 'skip';

/** skip: no session. queue: a session when the last one is done. start: a session beside the last one. */
export type OverlapPolicy = 'skip' | 'queue' | 'start';

/** Everything that can happen to a schedule. docs/events.md explains each. */
export type ScheduleBody =
  | { readonly type: 'schedule.created'; readonly spec: ScheduleSpec; readonly by: Actor }
  /** The intent: a session is started now. Exactly one is, however often the daemon is killed. */
  | { readonly type: 'schedule.starting'; readonly plannedMs: number; readonly why: StartReason }
  | { readonly type: 'schedule.started'; readonly plannedMs: number; readonly session: SessionId }
  | { readonly type: 'schedule.failed'; readonly plannedMs: number; readonly code: string; readonly text: string }
  /** Its last session still worked. */
  | { readonly type: 'schedule.skipped'; readonly plannedMs: number; readonly session: SessionId }
  | { readonly type: 'schedule.waiting'; readonly plannedMs: number; readonly session: SessionId }
  /** Planned times passed while nothing could be started. */
  | {
      readonly type: 'schedule.missed';
      readonly count: number;
      readonly firstMs: number;
      readonly lastMs: number;
      readonly does: MissedPolicy;
    }
  /** The clock was set back: the times after this one are planned again, but none is started twice. */
  | { readonly type: 'schedule.rewound'; readonly upToMs: number }
  | { readonly type: 'schedule.paused'; readonly by: Actor }
  | { readonly type: 'schedule.resumed'; readonly by: Actor }
  | { readonly type: 'schedule.ended'; readonly why: EndReason }
  | { readonly type: 'schedule.removed'; readonly by: Actor };

/** due: at its planned time. missed: later, for what was missed. asked: a caller asked for it. */
export type StartReason = 'due' | 'missed' | 'asked';

/** done: no planned time is left. owner: the session that made it has ended. */
export type EndReason = 'done' | 'owner';

/** An event of a schedule. */
export interface ScheduleEvent {
  readonly schedule: ScheduleId;
  /** 1, 2, 3 … within the schedule. */
  readonly seq: number;
  readonly atMs: number;
  readonly body: ScheduleBody;
}

/** A start that was decided, and whose result is not recorded yet. */
export interface OpenStart {
  readonly plannedMs: number;
  readonly why: StartReason;
}

/** The last thing that came of a planned time. */
export interface LastResult {
  readonly plannedMs: number;
  readonly atMs: number;
  readonly how: 'started' | 'failed' | 'skipped' | 'missed';
  readonly session: SessionId | null;
  /** Why it failed, and the code of the error. */
  readonly why: string | null;
  readonly code?: string;
}

/** The state of a schedule. */
export interface Schedule {
  readonly id: ScheduleId;
  readonly seq: number;
  readonly spec: ScheduleSpec;
  readonly by: Actor;
  readonly createdMs: number;
  /** When it last changed. */
  readonly changedMs: number;
  readonly state: 'active' | 'paused' | 'ended' | 'removed';
  readonly endedFor: EndReason | null;
  /** Planned times up to this one are handled. */
  readonly upToMs: number;
  /** The last planned times that were handled: none is handled twice, also when the clock is set back. */
  readonly recent: readonly number[];
  readonly open: OpenStart | null;
  /** A planned time whose session is started when the last one is done. */
  readonly waitingMs: number | null;
  /** How many sessions it has started. */
  readonly starts: number;
  /** The last session that it started. */
  readonly session: SessionId | null;
  readonly last: LastResult | null;
}
