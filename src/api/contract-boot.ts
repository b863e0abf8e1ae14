import * as z from 'zod';
import { count, one, yes } from './contract-words.ts';
import { later, operation } from './later.ts';
import { place } from './shapes.ts';
import { caller } from './spawn-shape.ts';
import { promptText } from './start-shape.ts';

const VERDICTS = [
  ...(['interrupted', 'complete', 'trivial', 'limited', 'failed', 'waiting', 'alive', 'stale'] as const),
  ...(['foreign-owner', 'system', 'handled', 'unreadable', 'unknown'] as const),
] as const;

const from = {
  env: z.record(z.string(), z.string()).describe('The full environment of the caller.'),
  umask: z.number().int().min(0).max(0o777).default(0o022).describe('File mode mask.'),
  caller: caller.optional(),
};

const conversation = later(() =>
  z.object({
    agent: z.string(),
    id: z.string().describe("The agent's own id."),
    path: z.string().describe('The transcript file.'),
    atMs: z.number().describe('When it was last written to.'),
    bytes: z.number(),
    verdict: z.enum(VERDICTS).describe('Only `interrupted` is resumed.'),
    why: z.string(),
    skipped: z.number().describe('Lines at its end that could not be read.'),
    did: z
      .enum(['nothing', 'resumed', 'held', 'failed'])
      .describe('resumed: proven alive. held: alive, and a person is needed.'),
    detail: z.string().nullable().describe('Why it was not resumed, or what happened to it.'),
    session: z.string().nullable().describe('The session that took it over.'),
  }),
);

const boot = later(() =>
  z.object({
    atMs: z.number(),
    why: z.enum(['boot', 'wake', 'asked']).describe('What triggered the scan.'),
    foreign: z.enum(['ask', 'auto', 'off']).describe('The policy for conversations not started with Outlast.'),
    dryRun: z.boolean(),
    tookMs: z.number().describe('How long the scan took.'),
    counts: z.partialRecord(z.enum(VERDICTS), z.number()),
    conversations: z.array(conversation()).describe('All but the stale ones, newest first; at most 500.'),
    summary: z.string().describe('A one-line summary for people.'),
  }),
);

/** Input and output of the operations about conversations that Outlast did not start. */
export const BOOT = {
  'boot.run': operation(
    () =>
      z.object({
        ...from,
        dryRun: yes.default(false).describe('Scan and judge only; resume nothing.'),
        windowMs: count.optional().describe('Maximum time from the last activity to the interruption.'),
        delayMs: count.max(3_600_000).optional().describe('Wait this long before the first resume.'),
        only: z.array(z.string()).max(20).default([]).describe('Only conversations of these agents.'),
        limit: count.min(1).optional().describe('Resume at most this many.'),
        resume: z
          .array(z.string())
          .max(1000)
          .default([])
          .describe('Ids, or `all`: resume these regardless of the policy.'),
        tell: yes.default(false).describe('Send notices on `boot` if something new was found, as after a boot.'),
      }),
    () => boot(),
  ),
  'boot.last': operation(
    () => z.object({ limit: count.min(1).max(100).default(1).describe('How many, newest first.') }),
    () => z.object({ boots: z.array(boot()) }),
  ),
  'conversation.resume': operation(
    () =>
      z.object({
        ...from,
        conversation: z.string().min(1).describe("The agent's own id, or at least its first 8 characters."),
        prompt: promptText.optional().describe('The prompt to continue with. Default: a note that it was interrupted.'),
        trust: yes.default(false).describe("Trust the workspace's own settings."),
      }),
    () =>
      one().extend({
        warnings: z.array(z.string()),
        ...place,
        prompt: z.string().nullable().describe('The id of the prompt.'),
      }),
  ),
} as const;

/** One scan of all conversations, and its result. */
export type BootView = z.infer<ReturnType<typeof boot>>;
export type ConversationView = z.infer<ReturnType<typeof conversation>>;
