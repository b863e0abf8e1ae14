import * as z from 'zod';
import { later } from './later.ts';

/** A time at which the files of a session were kept. */
const moment = later(() =>
  z.object({
    at: z.enum(['start', 'turn', 'end', 'now']).describe('turn: right before a prompt was sent.'),
    atMs: z.number(),
    prompt: z.string().nullable().describe('The prompt that was about to be sent; null: none was.'),
  }),
);

/** A file that an agent session has changed. */
const changedFile = later(() =>
  z.object({
    path: z.string().describe('Relative to `root`.'),
    from: z.string().optional().describe('Its path before it was renamed.'),
    status: z.enum(['added', 'modified', 'deleted', 'renamed']),
    additions: z.number().nullable().describe('Lines; null for a binary file.'),
    deletions: z.number().nullable(),
    binary: z.boolean(),
    inDiff: z.boolean().describe('False: too large, binary, or only the list was asked for.'),
  }),
);

/** What an agent session has changed. */
export const changes = later(() =>
  z.object({
    session: z.string().describe('Its id.'),
    root: z.string().describe('The folder that was compared: the top of its git repository, or its workspace.'),
    base: moment(),
    until: moment(),
    files: z.array(changedFile()),
    moreFiles: z.number().describe('How many files are not in the list.'),
    additions: z.number(),
    deletions: z.number(),
    diff: z.string().describe('A unified diff, as git prints it.'),
    cut: z.string().nullable().describe('What the diff leaves out; null: nothing.'),
    notCovered: z.array(z.string()).describe('Files that were not compared, and why.'),
  }),
);

export type Changes = z.infer<ReturnType<typeof changes>>;
