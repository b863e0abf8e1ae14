import * as z from 'zod';
import { later } from './later.ts';
import { session } from './shapes.ts';
import { caller } from './spawn-shape.ts';

// Parts that many operations share.

export const which = z.object({
  session: z
    .string()
    .min(1, 'give the id or the name of a session')
    .describe('Its id, the beginning of its id, or its name.'),
});
/** A session, and the calling process: a session may change only the sessions that it started. */
export const ours = which.extend({ caller: caller.optional() });
export const count = z.coerce.number().int().min(0);
/** A cursor as it was returned, or a bare position, which counts for this journal. */
export const cursor = z.union([z.number().int().min(0), z.string().regex(/^([0-9a-z]{6}-)?\d{1,15}$/)]);
export const yes = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')]);
export const view = z.enum(['text', 'raw']).default('text');
export const waitMs = count.max(10 * 365 * 24 * 3_600_000);
export const throughLimits = yes.default(false).describe('Keep waiting during a usage limit, instead of returning.');
export const one = later(() => z.object({ session: session() }));
