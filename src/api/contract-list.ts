import * as z from 'zod';
import { count } from './contract-words.ts';
import { session } from './shapes.ts';

/** Which sessions are listed. */
export const listInput = z.object({
  state: z.enum(['live', 'ended', 'all']).default('all'),
  limit: count.max(10_000).default(50),
  before: z.string().optional().describe('Only what comes after this id in the list.'),
  tail: count.max(1000).default(0).describe('Last lines of output with each.'),
  below: z.string().optional().describe('Only those that this session started, and those that they did.'),
  owner: z.string().optional().describe('Only those that this session started itself.'),
  phase: session.shape.phase.optional().describe('Only those in this phase, such as working, idle or held.'),
  agent: z.string().optional().describe('Only those of this agent; command: only commands.'),
  workspace: z.string().optional().describe('Only those that work in this folder, or below it.'),
  olderThanMs: count.optional().describe('Only those that were started so long ago, or longer.'),
  newerThanMs: count.optional().describe('Only those that were started less than so long ago.'),
});
