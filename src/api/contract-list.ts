import * as z from 'zod';
import { count } from './contract-words.ts';
import { later } from './later.ts';
import { phase } from './shapes.ts';

/** Which sessions are listed. */
export const listInput = later(() =>
  z.object({
    state: z.enum(['live', 'ended', 'all']).default('all'),
    limit: count.max(10_000).default(50),
    before: z.string().optional().describe('Only sessions after this id in the list.'),
    tail: count.max(1000).default(0).describe('Number of last output lines to include.'),
    below: z.string().optional().describe('Only descendants of this session.'),
    owner: z.string().optional().describe('Only direct children of this session.'),
    phase: phase.optional().describe('Only sessions in this phase, such as working, idle or held.'),
    agent: z.string().optional().describe('Only sessions of this agent; command: only commands.'),
    workspace: z.string().optional().describe('Only sessions that work in this folder, or below it.'),
    olderThanMs: count.optional().describe('Only sessions started at least this long ago.'),
    newerThanMs: count.optional().describe('Only sessions started less than this long ago.'),
  }),
);
