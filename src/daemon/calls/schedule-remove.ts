import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { changerOf } from '../schedules/right.ts';
import type { Parts } from '../serve/parts.ts';

/** Removes a schedule, with the environment that it kept. Its sessions stay. */
export async function scheduleRemove(
  { schedules, journal }: Parts,
  input: HandlerInput<'schedule.remove'>,
): Promise<CallOutput<'schedule.remove'>> {
  const { id, ...found } = schedules.find(input.schedule);
  const by = changerOf(journal, input, { id, ...found });
  await schedules.change(id, { type: 'schedule.removed', by });
  return { id };
}
