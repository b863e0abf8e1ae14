import type { Schedule, ScheduleBody } from './schedule.ts';

// Decides what a schedule does now. Invariants: a session is started only for an open start, which is in the journal
// before; no planned time is opened twice; every planned time up to `upToMs` was started, skipped, or told as missed.

/** What the decision depends on, besides the schedule. */
export interface ScheduleWorld {
  readonly nowMs: number;
  /** The first planned time after this one; null: none. */
  readonly after: (ms: number) => number | null;
  /** Does the last session of the schedule still work? */
  readonly isBusy: boolean;
  /** Has the session that made it ended? */
  readonly isOrphan: boolean;
}

export type ScheduleStep =
  | { readonly do: 'append'; readonly events: readonly ScheduleBody[] }
  /** Start the session of the open start, or find out that it was started. */
  | { readonly do: 'start' }
  /** Nothing until this wall time; null: until the schedule or its session changes. */
  | { readonly do: 'wait'; readonly untilMs: number | null };

/** A start that is at most this late is on time: the daemon was busy, or was just restarted. */
export const LATE_MS_MAX = 60_000;

/** More missed times are not counted. */
export const MISSED_MAX = 100;

/** How long an ended schedule can still be shown. */
export const ENDED_KEPT_MS = 7 * 24 * 3_600_000;

/** What the schedule does now. */
export function nextOfSchedule(s: Schedule, world: ScheduleWorld): ScheduleStep {
  switch (s.state) {
    case 'removed':
      return { do: 'wait', untilMs: null };
    case 'ended':
      if (s.open !== null) return { do: 'start' };
      return endedLongAgo(s, world);
    case 'paused':
    case 'active':
      if (s.open !== null) return { do: 'start' };
      if (world.isOrphan) return append({ type: 'schedule.ended', why: 'owner' });
      if (s.state === 'paused') return { do: 'wait', untilMs: null };
      return nextActive(s, world);
  }
}

/** The next planned times, at most so many. Those of a paused schedule are those after a resume now. */
export function plannedTimes(
  s: Schedule,
  { nowMs, after }: Pick<ScheduleWorld, 'nowMs' | 'after'>,
  max: number,
): number[] {
  if (s.state !== 'active' && s.state !== 'paused') return [];
  const times: number[] = [];
  const timesMax = s.spec.startsMax === null ? max : Math.min(max, s.spec.startsMax - s.starts);
  let ms = firstAfter(s, s.state === 'paused' ? nowMs : Math.min(s.upToMs, nowMs), after);
  for (; ms !== null && times.length < timesMax; ms = firstAfter(s, ms, after)) times.push(ms);
  return times;
}

function endedLongAgo(s: Schedule, { nowMs }: ScheduleWorld): ScheduleStep {
  const untilMs = s.changedMs + ENDED_KEPT_MS;
  if (nowMs < untilMs) return { do: 'wait', untilMs };
  return append({ type: 'schedule.removed', by: { is: 'policy', bound: 'retention' } });
}

function nextActive(s: Schedule, world: ScheduleWorld): ScheduleStep {
  const { nowMs, after, isBusy } = world;
  if (s.spec.startsMax !== null && s.starts >= s.spec.startsMax) return append({ type: 'schedule.ended', why: 'done' });
  if (s.waitingMs !== null && !isBusy) return append({ type: 'schedule.starting', plannedMs: s.waitingMs, why: 'due' });
  if (s.upToMs > nowMs) return append({ type: 'schedule.rewound', upToMs: nowMs });
  const firstMs = firstAfter(s, s.upToMs, after);
  if (firstMs === null)
    return s.waitingMs === null ? append({ type: 'schedule.ended', why: 'done' }) : { do: 'wait', untilMs: null };
  if (firstMs > nowMs) return { do: 'wait', untilMs: firstMs };
  return append(...atDue(s, dueTimes(s, firstMs, world), world));
}

/** The first planned time that was not handled. */
function firstAfter(s: Schedule, fromMs: number, after: ScheduleWorld['after']): number | null {
  const { untilMs } = s.spec;
  let ms = after(fromMs);
  while (ms !== null && s.recent.includes(ms)) ms = after(ms);
  return ms === null || (untilMs !== null && ms > untilMs) ? null : ms;
}

interface Due {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The one before the last; null: there is one only. */
  readonly beforeLastMs: number | null;
  readonly count: number;
}

function dueTimes(s: Schedule, firstMs: number, { nowMs, after }: ScheduleWorld): Due {
  let due: Due = { firstMs, lastMs: firstMs, beforeLastMs: null, count: 1 };
  const isDue = (ms: number | null): ms is number => ms !== null && ms <= nowMs;
  for (let ms = firstAfter(s, firstMs, after); isDue(ms) && due.count < MISSED_MAX; ms = firstAfter(s, ms, after))
    due = { ...due, beforeLastMs: due.lastMs, lastMs: ms, count: due.count + 1 };
  if (due.count < MISSED_MAX) return due;
  // Most of a long time is passed over: a window that grows from now to the past finds the last ones.
  for (let windowMs = LATE_MS_MAX; ; windowMs *= 4) {
    const found: number[] = [];
    const startMs = Math.max(due.lastMs - 1, nowMs - windowMs);
    for (let ms = firstAfter(s, startMs, after); isDue(ms); ms = firstAfter(s, ms, after)) found.push(ms);
    const lastMs = found.at(-1);
    if (lastMs !== undefined) return { ...due, beforeLastMs: found.at(-2) ?? due.beforeLastMs, lastMs };
  }
}

function atDue(s: Schedule, { firstMs, lastMs, beforeLastMs, count }: Due, world: ScheduleWorld): ScheduleBody[] {
  const { missed } = s.spec;
  const isOnTime = world.nowMs - lastMs <= LATE_MS_MAX;
  if (isOnTime) {
    // The session of now stands for all of them.
    const told: ScheduleBody[] =
      beforeLastMs === null
        ? []
        : [{ type: 'schedule.missed', count: count - 1, firstMs, lastMs: beforeLastMs, does: 'skip' }];
    return [...told, atPlanned(s, lastMs, 'due', world)];
  }
  const told: ScheduleBody = { type: 'schedule.missed', count, firstMs, lastMs, does: missed };
  return missed === 'skip' ? [told] : [told, atPlanned(s, lastMs, 'missed', world)];
}

/** A session at this planned time, unless the last one still works. */
function atPlanned(s: Schedule, plannedMs: number, why: 'due' | 'missed', { isBusy }: ScheduleWorld): ScheduleBody {
  const { session, waitingMs } = s;
  const { overlap } = s.spec;
  if (!isBusy || session === null || overlap === 'start') return { type: 'schedule.starting', plannedMs, why };
  if (overlap === 'queue' && waitingMs === null) return { type: 'schedule.waiting', plannedMs, session };
  return { type: 'schedule.skipped', plannedMs, session };
}

function append(...events: ScheduleBody[]): ScheduleStep {
  return { do: 'append', events };
}
