import * as z from 'zod';

const ruleTexts = z.array(z.string().max(4_096)).max(1_000).default([]);

/** Who decides about the tool calls of an agent, as a caller says it. */
export const gateInput = z
  .object({
    mode: z
      .enum(['off', 'watch', 'gate'])
      .optional()
      .describe('watch: each tool call is shown for a while, then goes through. gate: none runs without a yes.'),
    allow: ruleTexts.describe('Rules for calls that go through.'),
    ask: ruleTexts.describe('Rules for calls that somebody is asked about.'),
    deny: ruleTexts.describe('Rules for calls that are refused.'),
  })
  .default({ allow: [], ask: [], deny: [] })
  .describe('Who decides about the tool calls of an agent; without a mode, as the config says.');
