import * as z from 'zod';
import { later } from './later.ts';

/** A page of what a session printed. */
export const outputPage = later(() =>
  z.object({
    text: z.string().optional().describe('With escapes stripped.'),
    base64: z.string().optional().describe('The raw bytes.'),
    from: z.number().describe('Offset of the first byte of this page.'),
    next: z.number().describe('Pass this as `from` to continue.'),
    end: z.number().describe('Current number of bytes.'),
    more: z.boolean().describe('There is more to read at `next`.'),
    droppedBytes: z.number().describe('Dropped from the beginning of the output because of the cap.'),
    incomplete: z.boolean(),
    ended: z.boolean(),
    lines: z
      .object({
        offset: z
          .number()
          .describe('The line in which this page begins, counted from 0 at the first that is retained.'),
        next: z
          .number()
          .describe('The line that contains `next`; the last line of this page again if it is unfinished.'),
        total: z.number().describe('Current number of lines; an unfinished one counts.'),
      })
      .optional()
      .describe('For a page of text.'),
  }),
);

export type OutputPage = z.infer<ReturnType<typeof outputPage>>;
