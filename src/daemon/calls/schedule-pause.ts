import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import { changerOf } from '../schedules/right.ts';
import { scheduleView } from '../schedules/view.ts';
import type { Parts } from '../serve/parts.ts';

/** Pauses a schedule. */
export async function schedulePause(
  { schedules, journal }: Parts,
  input: HandlerInput<'schedule.pause'>,
): Promise<CallOutput<'schedule.pause'>> {
  const found = schedules.find(input.schedule);
  const by = changerOf(journal, input, found);
  if (found.state === 'ended') throw new OutlastError('schedule_ended', `${nameOf(found)} has ended`);
  const schedule = found.state === 'paused' ? found : await schedules.change(found.id, { type: 'schedule.paused', by });
  return { schedule: scheduleView(schedule, await schedules.nextMs(schedule)) };
}
