import * as z from 'zod';
import { POLICY } from './policy-shape.ts';

// What a session may do that starts others, and what it says when it does.

const count = z.number().int().min(0);

/** The process that calls, so that the daemon can see for itself where it runs. */
export const caller = z
  .object({
    pid: z.coerce.number().int().min(0),
    start: z.string().nullable().describe('When it started, as the kernel says.'),
    run: z.string().nullable().describe('OUTLAST_RUN of its environment.'),
  })
  .describe('The calling process. What it may do depends on the session it runs in.');

/** How far a session may go in starting others. */
export const SPAWN = {
  depthMax: count.max(10).describe('How deep the tree may be: 1 lets a session start others, which may start none.'),
  childrenMax: count.max(1_000).describe('Sessions of agents that one session has at once; an end frees its place.'),
  agents: z.array(z.string().min(1).max(63)).max(100).describe('Agents that may be started so; `*` is all of them.'),
  chainMax: count
    .max(10_000)
    .describe('So many wakes may lead to each other before they begin no more turns, until somebody else prompts.'),
  budget: {
    turns: POLICY.budget.turns.describe('Turns of the whole tree before it stops to ask; 0: no bound.'),
    tokens: POLICY.budget.tokens.describe('Tokens of the whole tree; 0: no bound.'),
    usd: POLICY.budget.usd.describe('Dollars of the whole tree, as the agents reckon; 0: no bound.'),
  },
} as const;

/** The limits that a caller sets for one session. What is missing is as the config says. */
export const spawnInput = z
  .strictObject({ ...SPAWN, budget: z.strictObject(SPAWN.budget).partial() })
  .partial()
  .describe('How far it may go in starting sessions itself; never further than its owner may.');

/** What a session says when it starts another. */
export const childInput = z
  .strictObject({
    wake: z
      .boolean()
      .default(false)
      .describe('Its end, its questions and its limits begin a turn of its owner, when that is idle.'),
    onEnd: z
      .enum(['stop', 'keep', 'up'])
      .default('keep')
      .describe("When its owner ends: it is stopped, it goes on, or it becomes the owner's owner's."),
    cleanup: z.enum(['keep', 'delete']).default('keep').describe('delete: removed when its owner was told of its end.'),
    note: z
      .boolean()
      .default(false)
      .describe('Tell it, below its first prompt, whose it is and that its reply is sent on.'),
    demand: z.boolean().default(false).describe('Refuse it when nobody is there to own it.'),
  })
  .describe('How it belongs to the session that its caller runs inside of.');

/** The session that owns another. */
export const ownerView = z
  .object({
    session: z.string(),
    root: z.string().describe('Where the tree begins.'),
    depth: z.number().int(),
    wake: z.boolean(),
    onEnd: z.enum(['stop', 'keep', 'up']),
  })
  .nullable()
  .describe('The session that started it and is told what becomes of it.');

export type CallerProof = z.infer<typeof caller>;
export type SpawnInput = z.output<typeof spawnInput>;
