import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { type ErrorCode, OutlastError } from '../../base/errors.ts';
import { changerOf } from '../schedules/right.ts';
import { scheduleView } from '../schedules/view.ts';
import type { Parts } from '../serve/parts.ts';

/** Starts a session of a schedule now. */
export async function scheduleRun(
  { schedules, journal }: Parts,
  input: HandlerInput<'schedule.run'>,
): Promise<CallOutput<'schedule.run'>> {
  const found = schedules.find(input.schedule);
  changerOf(journal, input, found);
  const schedule = await schedules.runNow(found.id);
  const { last } = schedule;
  if (last?.how === 'failed') throw new OutlastError((last.code ?? 'schedule_failed') as ErrorCode, last.why ?? '');
  return { schedule: scheduleView(schedule, await schedules.nextMs(schedule)) };
}
