import * as z from 'zod';

// How far a session of an agent may go by itself. Times are milliseconds of awake time; 0 is none where it says so.

const count = z.number().int();
const ms = count.max(10 * 365 * 24 * 3_600_000);

/** Each number of the policy with its sentence, by the object it is in. The config has the same ones. */
export const POLICY = {
  bounds: {
    deadlineMsMax: ms
      .min(0)
      .describe('Awake time for the whole session; 0: none. One that stays open has none unless its caller says.'),
    onLimit: z
      .enum(['wait', 'stop', 'ask'])
      .describe('At a usage limit: wait until it ends, let the turn fail, or ask a person.'),
    memoryBytesMax: count
      .min(0)
      .refine((bytes) => bytes === 0 || bytes >= 1024 ** 2, 'must be 0 or at least 1048576')
      .describe('What all processes of a run may use together; 0: as much as there is.'),
    approvalMsMax: ms
      .min(0)
      .describe('A question about a tool call that nobody answers in this time is answered no; 0: it waits for ever.'),
    deferMs: ms
      .min(100)
      .describe('A question that waits for ever keeps its process for so long; then its answer starts it again.'),
    startMsMax: ms.min(100).describe('How long a live agent may take to show its input box.'),
    acceptMsMax: ms.min(100).describe('How long it may take to say that it heard a prompt.'),
  },
  resumes: {
    max: count.min(0).max(1_000).describe('After faults, in the whole life of the session.'),
    windowMax: count.min(0).max(20).describe('The same within `windowMs`.'),
    windowMs: ms.min(0).describe('See `windowMax`.'),
  },
  backoff: {
    msMin: ms
      .min(0)
      .describe('The pause before the first resume. It doubles each time, and a finished turn resets it.'),
    msMax: ms.min(0).describe('The longest pause.'),
  },
  hang: {
    thinkMsMax: ms.min(100).describe('A turn without a tool at work that gets on with nothing for so long hangs.'),
    toolMsMax: ms.min(100).describe('The same while a tool is at work.'),
    interruptMsMax: ms.min(0).describe('From the interrupt of a turn that hangs to the end of its process.'),
  },
  budget: {
    turns: count.min(0).describe('Turns before it stops to ask; 0: no bound.'),
    tokens: count.min(0).describe('Tokens before it stops to ask; 0: no bound.'),
    usd: z.number().min(0).describe('Dollars, as the agent reckons, before it stops to ask; 0: no bound.'),
  },
} as const;

/** What each object of the policy is about. */
export const POLICY_PARTS = {
  resumes: 'How often a session is taken up again after a fault.',
  backoff: 'The pauses before that.',
  hang: 'When a turn is said to hang.',
  budget: 'What a session may use up before a person is asked.',
} as const;

/** What a caller may say about the policy of a session. What is missing is as the config says. */
export const policyInput = z
  .strictObject({
    ...POLICY.bounds,
    resumes: z.strictObject(POLICY.resumes).partial().describe(POLICY_PARTS.resumes),
    backoff: z.strictObject(POLICY.backoff).partial().describe(POLICY_PARTS.backoff),
    hang: z.strictObject(POLICY.hang).partial().describe(POLICY_PARTS.hang),
    budget: z.strictObject(POLICY.budget).partial().describe(POLICY_PARTS.budget),
  })
  .partial();

/** The policy of a session, with everything filled in. Null: none. */
export const policyView = z.object({
  deadlineMsMax: z.number().nullable().describe('Awake time for the whole session.'),
  onLimit: z.enum(['wait', 'stop', 'ask']),
  memoryBytesMax: z.number().nullable(),
  approvalMsMax: z.number().nullable(),
  deferMs: z.number(),
  startMsMax: z.number(),
  acceptMsMax: z.number(),
  resumes: z.object({ max: z.number(), windowMax: z.number(), windowMs: z.number() }),
  backoff: z.object({ msMin: z.number(), msMax: z.number() }),
  hang: z.object({ thinkMsMax: z.number(), toolMsMax: z.number(), interruptMsMax: z.number() }),
  budget: z.object({ turns: z.number().nullable(), tokens: z.number().nullable(), usd: z.number().nullable() }),
});

export type PolicyInput = z.output<typeof policyInput>;
export type PolicyView = z.infer<typeof policyView>;
