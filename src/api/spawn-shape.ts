import * as z from 'zod';
import { later } from './later.ts';
import { POLICY } from './policy-shape.ts';

// Limits for a session that starts others, and its options for doing so.

const count = z.number().int().min(0);

/** The calling process, so that the daemon can find out in which session it runs. */
export const caller = z
  .object({
    pid: z.coerce.number().int().min(0),
    start: z.string().nullable().describe('Its start time, from the kernel.'),
    run: z.string().nullable().describe('OUTLAST_RUN of its environment.'),
  })
  .describe('The calling process. What it may do depends on the session it runs in.');

/** Limits on how a session may start others. */
export const SPAWN = {
  depthMax: count.max(10).describe('How deep the tree may be. 1: a session may start others, which may start none.'),
  childrenMax: count.max(1_000).describe('Live agent sessions that one session may own.'),
  agents: z.array(z.string().min(1).max(63)).max(100).describe('Agents that a session may start; `*`: all.'),
  chainMax: count
    .max(10_000)
    .describe('How many updates in a row may start a turn, until a prompt from elsewhere comes.'),
  budget: {
    turns: POLICY.budget.turns.describe('Turns of the whole tree before it is held; 0: no limit.'),
    tokens: POLICY.budget.tokens.describe('Tokens of the whole tree; 0: no limit.'),
    usd: POLICY.budget.usd.describe('Dollars of the whole tree, as the agents estimate; 0: no limit.'),
  },
} as const;

/** The limits that a caller sets for one session. Missing keys come from the config. */
export const spawnInput = later(() =>
  z
    .strictObject({ ...SPAWN, budget: z.strictObject(SPAWN.budget).partial() })
    .partial()
    .describe('Limits for the sessions that it starts; never more than its owner has.'),
);

/** Options with which a session starts another. */
export const childInput = later(() =>
  z
    .strictObject({
      wake: z.boolean().default(false).describe('Its updates start a turn of its owner if the owner is idle.'),
      onEnd: z
        .enum(['stop', 'keep', 'up'])
        .default('keep')
        .describe("When its owner ends: stop it, keep it, or give it to the owner's owner."),
      cleanup: z
        .enum(['keep', 'delete'])
        .default('keep')
        .describe('delete: removed when its owner got the final update.'),
      note: z.boolean().default(false).describe('Add a note below its first prompt that says who owns it.'),
      demand: z.boolean().default(false).describe('Refuse the start if there is no owner.'),
    })
    .describe('How it relates to the session that its caller runs in.'),
);

/** The session that owns another. */
export const ownerView = later(() =>
  z
    .object({
      session: z.string(),
      root: z.string().describe('The root of the tree.'),
      depth: z.number().int(),
      wake: z.boolean(),
      onEnd: z.enum(['stop', 'keep', 'up']),
    })
    .nullable()
    .describe('The session that started it and gets its updates.'),
);

export type CallerProof = z.infer<typeof caller>;
export type SpawnInput = z.output<ReturnType<typeof spawnInput>>;
