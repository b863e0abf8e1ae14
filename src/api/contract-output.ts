import * as z from 'zod';
import { count, cursor, one, ours, view, waitMs, which, yes } from './contract-words.ts';
import { operation } from './later.ts';
import { outputPage } from './output-shape.ts';
import { styledScreen } from './screen-shape.ts';
import { event, screen, session } from './shapes.ts';

const styled = yes.default(false).describe('Colours and attributes too, and how much history there is.');

/** Input and output of the operations that read events and output. */
export const OUTPUT = {
  'session.events': operation(
    () =>
      z.object({
        after: cursor.default(0).describe('A cursor or a position; 0 is the beginning.'),
        session: z.string().optional(),
        follow: yes.default(false),
        limit: count.optional(),
        last: count.max(100_000).optional().describe('Only the last N.'),
        types: z
          .union([z.array(z.string()), z.string().transform((word) => [word])])
          .optional()
          .describe('Only these types; `tool.` matches all types that begin with it.'),
        words: yes.optional().describe('Add to each event what happened, as the logs say it.'),
      }),
    () =>
      event().extend({
        text: z
          .string()
          .optional()
          .describe('With `words`: what happened, for people, without secrets; missing: the logs have no line for it.'),
      }),
  ),
  'session.output': operation(
    () =>
      which.extend({
        view,
        stream: z.enum(['output', 'stderr']).default('output').describe('stderr: for a session with separate stderr.'),
        from: count.optional().describe('Byte offset to read from.'),
        bytes: count
          .max(1024 * 1024)
          .optional()
          .describe('Maximum number of bytes.'),
        offset: count.optional().describe('Line to read from, counted from 0 at the first that is retained.'),
        limit: count.optional().describe('Lines to read, starting at `offset` or `from`.'),
        tail: count.optional().describe('Last lines only.'),
      }),
    () => outputPage(),
  ),
  'session.follow': operation(
    () =>
      which.extend({
        view,
        from: count.optional().describe('Default: from now on.'),
        stream: z.enum(['output', 'stderr']).default('output'),
        owner: yes
          .default(false)
          .describe('The caller waits for the result; if it disconnects, the session moves to the background.'),
      }),
    () =>
      z.object({
        text: z.string().optional(),
        base64: z.string().optional(),
        stream: z.enum(['output', 'stderr']).optional(),
        next: z.number().optional(),
        droppedBytes: z.number().optional().describe('Dropped at the cap right before this text.'),
        session: session().optional().describe('In the last line: how it ended.'),
      }),
  ),
  'session.poll': operation(
    () =>
      ours.extend({
        reader: z.string().max(63).default('poll'),
        timeoutMs: waitMs.default(0),
        bytes: count
          .max(1024 * 1024)
          .optional()
          .describe('Maximum number of bytes.'),
        lease: yes
          .default(false)
          .describe('Other pollers with this name and a lease wait until you acknowledge or disconnect, at most 30 s.'),
      }),
    () =>
      one().extend({
        text: z.string(),
        from: z.number(),
        next: z.number().describe('Acknowledge this when you have read the text.'),
        more: z.boolean().describe('There is text at `next` already.'),
        notices: z.array(z.string()).describe('Notes about missing text, to be shown before it.'),
        retryInMs: z.number().optional().describe('When to poll again, if you do not wait. Missing after the end.'),
      }),
  ),
  'session.ack': operation(
    () => ours.extend({ reader: z.string().max(63).default('poll'), cursor: count }),
    () => z.object({}),
  ),
  'session.screen': operation(
    () =>
      which.extend({
        styled,
        above: count.max(1_000).default(0).describe('With `styled`: how many rows of the history above it to return.'),
        skip: count.default(0).describe('With `above`: rows directly above the screen to leave out.'),
      }),
    () => screen().extend({ styled: styledScreen().optional().describe('With `styled`.') }),
  ),
  'session.screens': operation(
    () => which.extend({ styled }),
    () =>
      screen().extend({
        styled: styledScreen().optional().describe('With `styled`.'),
        offset: z.number().describe('The output up to this byte is on it, maybe more.'),
        ended: z.boolean().describe('The session has ended: this is the last screen.'),
      }),
  ),
} as const;
