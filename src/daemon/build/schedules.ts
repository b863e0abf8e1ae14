import { Schedules } from '../schedules/schedules.ts';
import { ScheduleTeller } from '../schedules/tell.ts';
import { startRequested } from '../start/start-request.ts';
import type { Driving } from './driving.ts';
import type { Ground } from './ground.ts';
import type { Stops } from './stops.ts';

/** Creates the schedules and what tells people about them. Carries out nothing yet. */
export function buildSchedules(ground: Ground, { sessions, worktrees }: Driving, stops: Stops): Schedules {
  const { state, config, journal, clock, agents, gate, log } = ground;
  const teller = new ScheduleTeller({ journal, config, clock, log });
  const parts = { config, journal, agents, gates: gate.gates, sessions, worktrees };
  const schedules = new Schedules({
    ...{ state, journal, clock, log },
    start: async (request, by) => (await startRequested(parts, request, by)).row.session.id,
    told: () => teller.wake(),
  });
  stops.add(
    () => schedules.stop(),
    () => teller.stop(),
  );
  return schedules;
}
