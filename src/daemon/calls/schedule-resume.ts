import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import { changerOf } from '../schedules/right.ts';
import { scheduleView } from '../schedules/view.ts';
import type { Parts } from '../serve/parts.ts';

/** Resumes a paused schedule. What passed meanwhile was not missed. */
export async function scheduleResume(
  { schedules, journal }: Parts,
  input: HandlerInput<'schedule.resume'>,
): Promise<CallOutput<'schedule.resume'>> {
  const found = schedules.find(input.schedule);
  const by = changerOf(journal, input, found);
  const name = nameOf(found);
  if (found.state === 'ended') throw new OutlastError('schedule_ended', `${name} has ended`);
  if ((await schedules.nextMs(found)) === null)
    throw new OutlastError(
      'schedule_ended',
      `the time of ${name} passed while it was paused; to start it now: outlast schedule run-now ${name}`,
    );
  const schedule =
    found.state === 'active' ? found : await schedules.change(found.id, { type: 'schedule.resumed', by });
  return { schedule: scheduleView(schedule, await schedules.nextMs(schedule)) };
}
