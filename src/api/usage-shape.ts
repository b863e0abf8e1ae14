import * as z from 'zod';
import { later } from './later.ts';

/** Turns, tokens and dollars. */
export const usage = later(() =>
  z.object({
    turns: z.number(),
    tokens: z.number(),
    usd: z.number().nullable().describe('As the agents estimate it; null: none does.'),
    byKind: z
      .object({
        input: z.number().describe('Read by the model, without the cached ones.'),
        output: z.number().describe('Written by the model, with its thoughts.'),
        cacheRead: z.number().describe('Input that the model had in its cache.'),
        cacheWrite: z.number().describe('Input that was added to the cache.'),
      })
      .optional()
      .describe('The tokens by kind, as far as agents tell them apart; missing: none does.'),
  }),
);
