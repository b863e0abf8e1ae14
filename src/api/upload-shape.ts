import * as z from 'zod';
import { count, ours } from './contract-words.ts';
import { later, operation } from './later.ts';
import { UPLOAD_LIMITS } from './upload-limits.ts';

const MB = 1024 * 1024;

// No control characters, which would end a line where the name is shown.
const NAME = /^[^/\\\p{Cc}]+$/u;

/** The input and output of the operation that puts a file into the folder of a session. */
export const UPLOAD = {
  'session.upload': operation(
    () =>
      ours.extend({
        key: z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'choose up to 64 letters, digits, - and _')
          .describe('Names this upload: the pieces of one file have the same. A repeated piece changes nothing.'),
        name: z
          .string()
          .max(255)
          .refine(
            (name) => NAME.test(name) && !/^\.{1,2}$/.test(name),
            'give the name of a file without a folder, such as shot.png',
          )
          .describe('What the file is called. Characters that are unusual in names are replaced.'),
        bytes: count
          .max(
            UPLOAD_LIMITS.fileBytesMax,
            `a file may have at most ${UPLOAD_LIMITS.fileBytesMax / MB} MB; make it smaller`,
          )
          .describe('The size of the whole file.'),
        offset: count.default(0).describe('Where in the file this piece begins. 0 begins again.'),
        base64: z.string().describe(`This piece: at most ${UPLOAD_LIMITS.pieceBytesMax / MB} MB.`),
      }),
    later(() =>
      z.object({
        receivedBytes: z.number().describe('How much of the file is there; the next piece begins here.'),
        path: z
          .string()
          .nullable()
          .describe('When all of it is there: its absolute path, for `images` of a prompt, or to name in a prompt.'),
      }),
    ),
  ),
} as const;
