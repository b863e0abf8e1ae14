import * as z from 'zod';

/** The search in conversations. */
export const configSearch = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether conversations can be searched. The first search builds an index; `false` deletes it.'),
  bytesMax: z
    .number()
    .int()
    .min(16 * 1024 ** 2)
    .max(64 * 1024 ** 3)
    .default(1024 ** 3)
    .describe('Maximum size of the index. Beyond it the oldest texts are left out.'),
});
