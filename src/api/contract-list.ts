import * as z from 'zod';
import { count } from './contract-words.ts';
import { later } from './later.ts';
import { phase, session } from './shapes.ts';

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

/** A session in a list. */
export const listedSession = later(() =>
  session().extend({
    tail: z.array(z.string()).optional(),
    short: z
      .string()
      .optional()
      .describe('The beginning of its id, at least 12 characters: as much as no other session has.'),
  }),
);
/** A session as a row of a live list. */
export const sessionRow = later(() =>
  session()
    .omit({ worktree: true, idleMs: true })
    .extend({
      line: z
        .string()
        .describe('The last line of a command; what an agent asks for, does or said last. Made by the session.'),
    }),
);

/** Which sessions are watched. Live ones always are. */
export const watchInput = later(() =>
  z.object({
    ended: count
      .max(1_000)
      .default(20)
      .describe('How many ended sessions to list at first, newest first. Sessions that end later are kept.'),
  }),
);

export const watchLine = later(() =>
  z.object({
    is: z
      .enum(['row', 'gone', 'complete'])
      .describe('row: a session that is new or has changed. gone: it was removed. complete: all are listed.'),
    id: z.string().optional().describe('For `gone`.'),
    row: sessionRow().optional().describe('For `row`.'),
  }),
);

export type SessionRow = z.infer<ReturnType<typeof sessionRow>>;
