import * as z from 'zod';

const count = z.number().int();
const folder = z.string().regex(/^(\/|~\/)/, 'must be a path that begins with / or ~/');

/** What is done about conversations that we did not begin, as the config writes it. */
export const configBoot = z.strictObject({
  foreign: z
    .enum(['ask', 'auto', 'off'])
    .default('ask')
    .describe(
      'Interrupted conversations that we did not begin: `ask` tells, `auto` resumes them, `off` does not look.',
    ),
  windowMs: count
    .min(0)
    .default(20 * 60_000)
    .describe('How long before the interruption the last activity may lie.'),
  delayMs: count.min(0).max(3_600_000).default(20_000).describe('From the look to the first that is resumed.'),
  limit: count.min(1).max(1_000).default(50).describe('So many are resumed after one interruption.'),
  agents: z.array(z.string()).max(20).default(['claude', 'openclaw']).describe('Whose conversations are looked at.'),
  folders: z
    .array(folder)
    .max(100)
    .default([])
    .describe("Agents' own folders to look at besides those that are found."),
});
