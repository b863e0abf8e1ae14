import * as z from 'zod';
import { later } from './later.ts';

// The limits of an agent session that runs by itself. Times are milliseconds of awake time; 0 means none where stated.

const count = z.number().int();
const ms = count.max(10 * 365 * 24 * 3_600_000);

/** `switch:codex,opencode`: the first of these agents that can take over. */
const switchWord = z.templateLiteral(['switch:', z.string().regex(/^[a-z0-9-]+(,[a-z0-9-]+)*$/)]);

/** Each number of the policy with its description, by the object it is in. The config has the same keys. */
export const POLICY = {
  bounds: {
    deadlineMsMax: ms
      .min(0)
      .describe('Time limit of the session, excluding sleep; 0: none. One that stays open has none unless set.'),
    onLimit: z
      .union([z.enum(['wait', 'stop', 'ask']), switchWord])
      .describe('At a usage limit: wait until it resets, fail the turn, ask a person, or go on with another agent.'),
    switchBack: z.boolean().describe('After a switch: go back to the first agent when its limit is over.'),
    memoryBytesMax: count
      .min(0)
      .refine((bytes) => bytes === 0 || bytes >= 1024 ** 2, 'must be 0 or at least 1048576')
      .describe('Memory limit of all processes of a run together; 0: none.'),
    approvalMsMax: ms.min(0).describe('A tool call without a decision in this time is denied; 0: no timeout.'),
    deferMs: ms
      .min(100)
      .describe('An approval without a timeout keeps its process for this long; then the decision starts it again.'),
    startMsMax: ms.min(100).describe('How long a live agent may take to show its input box.'),
    acceptMsMax: ms.min(100).describe('How long it may take to confirm a prompt.'),
    idleMsMax: ms.min(0).describe('The idle process of an agent that is driven by messages ends after this; 0: never.'),
  },
  resumes: {
    max: count.min(0).max(1_000).describe('Resumes after faults, in the whole life of the session.'),
    windowMax: count.min(0).max(20).describe('Resumes after faults within `windowMs`.'),
    windowMs: ms.min(0).describe('See `windowMax`.'),
  },
  backoff: {
    msMin: ms
      .min(0)
      .describe('The pause before the first resume. It doubles each time, and a finished turn resets it.'),
    msMax: ms.min(0).describe('The longest pause.'),
  },
  hang: {
    thinkMsMax: ms.min(100).describe('No progress for this long counts as a hang.'),
    toolMsMax: ms.min(100).describe('No progress for this long while a tool runs counts as a hang.'),
    interruptMsMax: ms.min(0).describe('Time from the interrupt of a hanging turn to the end of its process.'),
  },
  budget: {
    turns: count.min(0).describe('Turns before it is held; 0: no limit.'),
    tokens: count.min(0).describe('Tokens before it is held; 0: no limit.'),
    usd: z.number().min(0).describe('Dollars, as the agent estimates, before it is held; 0: no limit.'),
  },
} as const;

/** What each object of the policy is about. */
export const POLICY_PARTS = {
  resumes: 'How often a session is resumed after a fault.',
  backoff: 'The pauses before a resume.',
  hang: 'When a turn counts as hanging.',
  budget: 'What a session may use before it is held.',
} as const;

/** What a caller may set in the policy of a session. Missing keys come from the config. */
export const policyInput = later(() =>
  z
    .strictObject({
      ...POLICY.bounds,
      resumes: z.strictObject(POLICY.resumes).partial().describe(POLICY_PARTS.resumes),
      backoff: z.strictObject(POLICY.backoff).partial().describe(POLICY_PARTS.backoff),
      hang: z.strictObject(POLICY.hang).partial().describe(POLICY_PARTS.hang),
      budget: z.strictObject(POLICY.budget).partial().describe(POLICY_PARTS.budget),
    })
    .partial(),
);

/** The policy of a session, with everything filled in. Null: none. */
export const policyView = later(() =>
  z.object({
    deadlineMsMax: z.number().nullable().describe('Time limit of the session, excluding sleep.'),
    onLimit: z.union([z.enum(['wait', 'stop', 'ask']), switchWord]),
    switchBack: z.boolean(),
    memoryBytesMax: z.number().nullable(),
    approvalMsMax: z.number().nullable(),
    deferMs: z.number(),
    startMsMax: z.number(),
    acceptMsMax: z.number(),
    idleMsMax: z.number().nullable(),
    resumes: z.object({ max: z.number(), windowMax: z.number(), windowMs: z.number() }),
    backoff: z.object({ msMin: z.number(), msMax: z.number() }),
    hang: z.object({ thinkMsMax: z.number(), toolMsMax: z.number(), interruptMsMax: z.number() }),
    budget: z.object({ turns: z.number().nullable(), tokens: z.number().nullable(), usd: z.number().nullable() }),
  }),
);

export type PolicyInput = z.output<ReturnType<typeof policyInput>>;
export type PolicyView = z.infer<ReturnType<typeof policyView>>;
