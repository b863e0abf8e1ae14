import * as z from 'zod';
import { SPAWN } from '../../api/spawn-shape.ts';
import { CHAIN_MAX } from '../../core/ownership.ts';
import { configBudget } from './policy.ts';

const { depthMax, childrenMax, agents, chainMax, budget } = SPAWN;

/** The default limits for sessions that start sessions, as in the config file. */
export const configSpawn = z.strictObject({
  depthMax: depthMax.default(1),
  childrenMax: childrenMax.default(5),
  concurrentMax: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(8)
    .describe('Owned agent sessions that run at once on this host; more wait for a slot.'),
  agents: agents.default(['*']),
  chainMax: chainMax.default(CHAIN_MAX),
  budget: configBudget(budget).describe('What a whole tree of sessions may use before it is held.'),
});
