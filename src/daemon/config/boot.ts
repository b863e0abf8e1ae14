import * as z from 'zod';

const count = z.number().int();
const folder = z.string().regex(/^(\/|~\/)/, 'must be a path that begins with / or ~/');

/** The handling of conversations that were not started with Outlast, as in the config file. */
export const configBoot = z.strictObject({
  foreign: z
    .enum(['ask', 'auto', 'off'])
    .default('ask')
    .describe(
      'Interrupted conversations not started with Outlast: `ask` notifies, `auto` resumes them, `off` does not scan.',
    ),
  windowMs: count
    .min(0)
    .default(20 * 60_000)
    .describe('Maximum time from the last activity to the interruption.'),
  delayMs: count.min(0).max(3_600_000).default(20_000).describe('Delay between the scan and the first resume.'),
  limit: count.min(1).max(1_000).default(50).describe('Maximum number of resumes after one interruption.'),
  agents: z
    .array(z.string())
    .max(20)
    .default(['claude', 'codex', 'copilot', 'gemini', 'opencode', 'pi', 'qwen', 'openclaw'])
    .describe('Agents whose conversations are scanned.'),
  folders: z.array(folder).max(100).default([]).describe('Additional folders of agents to scan.'),
});
