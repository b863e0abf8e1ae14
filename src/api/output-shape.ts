import * as z from 'zod';

/** A page of what a session printed. */
export const outputPage = z.object({
  text: z.string().optional().describe('With escapes stripped.'),
  base64: z.string().optional().describe('The raw bytes.'),
  from: z.number().describe('Offset of the first byte of this page.'),
  next: z.number().describe('Give this as `from` to read on.'),
  end: z.number().describe('Bytes there are now.'),
  more: z.boolean().describe('There is something at `next` already.'),
  droppedBytes: z.number().describe('Freed from the beginning of the output to keep within the cap.'),
  incomplete: z.boolean(),
  ended: z.boolean(),
  lines: z
    .object({
      offset: z.number().describe('The line in which this page begins, counted from 0 at the first that is retained.'),
      next: z.number().describe('The line in which `next` lies; the last of this page again if its end is not here.'),
      total: z.number().describe('Lines there are now; an unfinished one counts.'),
    })
    .optional()
    .describe('Of a page of text.'),
});

export type OutputPage = z.infer<typeof outputPage>;
