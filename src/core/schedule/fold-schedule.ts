import { assert, unreachable } from '../../base/assert.ts';
import type { LastResult, Schedule, ScheduleBody, ScheduleEvent } from './schedule.ts';

/** How many handled planned times are remembered. */
const RECENT_MAX = 50;

/** The schedule after one more event. */
export function applySchedule(before: Schedule | null, event: ScheduleEvent): Schedule {
  const { schedule: id, seq, atMs, body } = event;
  if (body.type === 'schedule.created') {
    assert(before === null && seq === 1, 'a schedule is created once');
    return {
      ...{ id, seq, spec: body.spec, by: body.by, createdMs: atMs, changedMs: atMs },
      ...{ state: 'active', endedFor: null, upToMs: atMs, recent: [], open: null, waitingMs: null },
      ...{ starts: 0, session: null, last: null },
    };
  }
  assert(before !== null && seq === before.seq + 1, 'the events of a schedule have no gap');
  return changed({ ...before, seq, changedMs: atMs }, atMs, body);
}

type Later = Exclude<ScheduleBody, { type: 'schedule.created' }>;

function changed(s: Schedule, atMs: number, body: Later): Schedule {
  switch (body.type) {
    case 'schedule.starting': {
      const { plannedMs, why } = body;
      const open = { plannedMs, why };
      // A start that a caller asked for is at no planned time.
      if (why === 'asked') return { ...s, open };
      return { ...handled(s, plannedMs), open, waitingMs: null };
    }
    case 'schedule.started': {
      const { plannedMs, session } = body;
      const last: LastResult = { plannedMs, atMs, how: 'started', session, why: null };
      return { ...s, open: null, starts: s.starts + 1, session, last };
    }
    case 'schedule.failed': {
      const { plannedMs, code, text } = body;
      return { ...s, open: null, last: { plannedMs, atMs, how: 'failed', session: null, why: text, code } };
    }
    case 'schedule.skipped': {
      const { plannedMs, session } = body;
      return { ...handled(s, plannedMs), last: { plannedMs, atMs, how: 'skipped', session, why: null } };
    }
    case 'schedule.waiting':
      return { ...handled(s, body.plannedMs), waitingMs: body.plannedMs };
    case 'schedule.missed': {
      const last: LastResult = { plannedMs: body.lastMs, atMs, how: 'missed', session: null, why: null };
      return { ...handled(s, body.lastMs), last };
    }
    case 'schedule.rewound':
      return { ...s, upToMs: body.upToMs };
    case 'schedule.paused':
      return { ...s, state: 'paused', waitingMs: null };
    case 'schedule.resumed':
      // What passed meanwhile was not missed: somebody wanted that nothing is started.
      return { ...s, state: 'active', upToMs: atMs };
    case 'schedule.ended':
      return { ...s, state: 'ended', endedFor: body.why, waitingMs: null };
    case 'schedule.removed':
      return { ...s, state: 'removed', open: null, waitingMs: null };
    default:
      return unreachable(body);
  }
}

function handled(s: Schedule, plannedMs: number): Schedule {
  const recent = s.recent.includes(plannedMs) ? s.recent : [...s.recent, plannedMs].slice(-RECENT_MAX);
  return { ...s, upToMs: Math.max(s.upToMs, plannedMs), recent };
}
