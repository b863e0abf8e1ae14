import type { Log } from '../../base/log.ts';
import type { Schedule } from '../../core/schedule/schedule.ts';
import type { ScheduleStore } from '../../journal/schedules.ts';
import type { ScheduleFolders } from './folders.ts';

/**
 * The schedules to carry out. A journal that was lost or restored gets back what the folders know better, and folders
 * that a killed daemon left behind are removed.
 */
export function recovered(store: ScheduleStore, folders: ScheduleFolders, log: Log): Schedule[] {
  const known = new Map(store.all().map((schedule) => [schedule.id, schedule]));
  for (const id of folders.ids()) {
    const schedule = known.get(id);
    const mirrored = folders.mirrored(id);
    if (schedule?.state === 'removed') folders.remove(id);
    else if (mirrored !== null && mirrored.seq > (schedule?.seq ?? 0)) {
      store.put(mirrored);
      known.set(id, mirrored);
      log('a schedule was restored from its folder', { schedule: id });
    } else if (schedule === undefined) {
      // The daemon died before it was accepted: its caller got no answer.
      folders.remove(id);
    } else if (mirrored === null || mirrored.seq < schedule.seq) folders.mirror(schedule);
  }
  return [...known.values()].filter(({ state }) => state !== 'removed');
}
