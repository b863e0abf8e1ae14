import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { ScheduleBody } from '../../core/schedule/schedule.ts';
import { scheduleView } from '../schedules/view.ts';
import { zonedText } from '../schedules/zoned-text.ts';
import type { Parts } from '../serve/parts.ts';

const FOLLOWING_MAX = 5;

/** Shows a schedule, its next times and what happened to it. */
export async function scheduleShow(
  { schedules, journal }: Parts,
  { schedule: word, limit }: HandlerInput<'schedule.show'>,
): Promise<CallOutput<'schedule.show'>> {
  const schedule = schedules.find(word);
  const times = await schedules.followingMs(schedule, FOLLOWING_MAX);
  const all = journal.schedules.events({ after: 0, limit: Number.MAX_SAFE_INTEGER, schedule: schedule.id });
  const events = all.slice(-limit).map(({ event: { seq, atMs, body } }) => {
    const { type, ...fields } = body;
    return { seq, ts: new Date(atMs).toISOString(), event: type satisfies ScheduleBody['type'], body: { ...fields } };
  });
  return {
    schedule: scheduleView(schedule, times[0] ?? null),
    following: times.map((ms) => zonedText(ms, schedule.spec.timeZone)),
    events,
  };
}
