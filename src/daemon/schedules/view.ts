import type { ScheduleView } from '../../api/contract-schedule.ts';
import { actorText } from '../../core/actor.ts';
import type { Schedule } from '../../core/schedule/schedule.ts';
import { zonedText } from './zoned-text.ts';

/** A schedule in the API. */
export function scheduleView(schedule: Schedule, nextMs: number | null): ScheduleView {
  const { id, spec, state, starts, session, last, waitingMs, createdMs, by } = schedule;
  const { when, timeZone, what } = spec;
  return {
    id,
    name: spec.name,
    state: state === 'removed' ? 'ended' : state,
    at: when.kind === 'at' ? when.atMs : null,
    every: when.kind === 'every' ? when.cron : null,
    timezone: timeZone,
    nextAtMs: nextMs,
    nextText: nextMs === null ? null : zonedText(nextMs, timeZone),
    missed: spec.missed,
    overlap: spec.overlap,
    untilMs: spec.untilMs,
    count: spec.startsMax,
    starts,
    session,
    waiting: waitingMs !== null,
    last: last && {
      plannedAtMs: last.plannedMs,
      atMs: last.atMs,
      how: last.how,
      session: last.session,
      why: last.why,
    },
    agent: what.agent,
    text: what.text,
    workspace: what.workspace,
    owner: spec.owner,
    createdAtMs: createdMs,
    by: actorText(by),
  };
}
