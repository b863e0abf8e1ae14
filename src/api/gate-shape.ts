import * as z from 'zod';
import { later } from './later.ts';

const ruleTexts = z.array(z.string().max(4_096)).max(1_000).default([]);

/** Who decides about the tool calls of an agent, as a caller gives it. */
export const gateInput = later(() =>
  z
    .object({
      mode: z
        .enum(['off', 'watch', 'gate'])
        .optional()
        .describe('watch: each tool call is shown for a while, then allowed. gate: every tool call needs approval.'),
      allow: ruleTexts.describe('Rules for calls that are allowed.'),
      ask: ruleTexts.describe('Rules for calls that need approval.'),
      deny: ruleTexts.describe('Rules for calls that are denied.'),
    })
    .default({ allow: [], ask: [], deny: [] })
    .describe('Who decides about the tool calls of an agent; the default mode is from the config.'),
);
