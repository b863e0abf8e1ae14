import type { SessionView } from '../../api/shapes.ts';
import type { Session } from '../../core/session.ts';

/** The schedule that started a session. */
export function scheduleOf({ spec: { schedule } }: Session): Pick<SessionView, 'schedule'> {
  if (schedule === undefined) return {};
  return { schedule: { id: schedule.id, name: schedule.name, plannedAtMs: schedule.plannedMs } };
}
