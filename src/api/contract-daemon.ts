import * as z from 'zod';
import { yes } from './contract-words.ts';
import { away, check, place } from './shapes.ts';
import { caller } from './spawn-shape.ts';

// The operations on the daemon itself.

export const DAEMON = {
  'daemon.status': {
    input: z.object({}),
    output: z.object({
      version: z.string(),
      pid: z.number(),
      state: z.string(),
      startedAtMs: z.number(),
      live: z.number(),
      sessions: z.number(),
      ...place,
      journal: z.string().describe('The id of the journal.'),
      rssBytes: z.number(),
      away: away.nullable().describe('The last sleep or restart of the machine that was detected.'),
      interrupted: z
        .string()
        .nullable()
        .describe('Conversations that a boot or a sleep interrupted and that were not resumed yet, in one line.'),
      notices: z.array(
        z.object({ name: z.string(), behind: z.number(), failed: z.number(), lastError: z.string().nullable() }),
      ),
    }),
  },
  'daemon.stop': {
    input: z.object({
      planned: yes.default(false).describe('Planned shutdown: do not count lost sessions as crashes.'),
      caller: caller.optional(),
    }),
    output: z.object({ live: z.number() }),
  },
  'daemon.wake': {
    input: z.object({}),
    output: away.extend({ new: z.boolean().describe('It was not known before.') }),
  },
  'daemon.doctor': {
    input: z.object({ path: z.string().default('').describe('The PATH of the caller.') }),
    output: z.object({ checks: z.array(check) }),
  },
} as const;
