import type { CallOutput } from '../../api/contract.ts';
import { scheduleView } from '../schedules/view.ts';
import type { Parts } from '../serve/parts.ts';

/** Lists the schedules. */
export async function scheduleList({ schedules }: Parts): Promise<CallOutput<'schedule.list'>> {
  const all = schedules.all().map(async (each) => scheduleView(each, await schedules.nextMs(each)));
  return { schedules: await Promise.all(all) };
}
