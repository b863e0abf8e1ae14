import * as z from 'zod';
import { GRANTS, type Grant } from './grants.ts';
import { operation } from './later.ts';
import { caller } from './spawn-shape.ts';

const grant = z.enum(Object.keys(GRANTS) as [Grant, ...Grant[]]);

/** Input and output of the operation about browsers of the web page. */
export const DEVICES = {
  'device.record': operation(
    () =>
      z.object({
        did: z
          .enum(['signed_in', 'signed_out', 'linked'])
          .describe('signed_in: a browser got access. signed_out: it lost it. linked: a link for one was made.'),
        device: z.string().max(64).nullable().describe('The id of the browser; null for `linked`.'),
        browser: z.string().max(80).nullable().describe('Its name; null for `linked`.'),
        grants: z.array(grant).max(16).describe('What it may do.'),
        by: z.string().min(1).max(80).describe('Who made the link, or signed the browser out.'),
        caller: caller.optional(),
      }),
    () => z.object({ number: z.number().int().describe('The row of the audit.') }),
  ),
} as const;
