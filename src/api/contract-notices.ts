import * as z from 'zod';
import { yes } from './contract-words.ts';
import { operation } from './later.ts';
import { caller } from './spawn-shape.ts';

const name = z.string().min(1, 'give the name of a notice').describe('The name of a notice.');

const noticeView = z.object({
  name: z.string(),
  kind: z.string().describe('How it is delivered: command, webhook, desktop, ntfy, slack, …'),
  on: z.array(z.string()).describe('The events, as in the config.'),
  isDefault: z.boolean().describe('It is not in the config: it is there because the config has none.'),
  keepsQuietHours: z.boolean(),
  behind: z.number().describe('Events that it has not handled yet.'),
  failed: z.number().describe('Events that were given up since the daemon started.'),
  lastError: z.string().nullable(),
  deliveredAtMs: z
    .number()
    .nullable()
    .optional()
    .describe('When it last delivered something since the daemon started, wall time; null: it did not.'),
});

/** Input and output of the operations about notices. */
export const NOTICES = {
  'notice.list': operation(
    () => z.object({}),
    () =>
      z.object({
        notices: z.array(noticeView),
        desktop: z.string().nullable().describe('Why this machine shows no desktop notifications; null: it does.'),
        quietUntilMs: z.number().nullable().describe('When the quiet hours that are now end, wall time.'),
        file: z.string().describe('The config file.'),
      }),
  ),
  'notice.test': operation(
    () => z.object({ name, caller: caller.optional() }),
    () => z.object({ sent: z.boolean(), why: z.string().nullable().describe('Why it failed; null: it was sent.') }),
  ),
  'notice.set': operation(
    () =>
      z.object({
        notice: z.record(z.string(), z.unknown()).describe('One entry of `notices`, as in the config file.'),
        secret: z
          .string()
          .min(1)
          .max(4096)
          .optional()
          .describe(
            'Its token or secret address. It is written to a file of its own, mode 0600, which is named there.',
          ),
        replace: yes.default(false).describe('Replace a notice with this name.'),
        caller: caller.optional(),
      }),
    () => z.object({ name: z.string(), file: z.string(), secretFile: z.string().nullable() }),
  ),
  'notice.remove': operation(
    () => z.object({ name, caller: caller.optional() }),
    () =>
      z.object({
        name: z.string(),
        file: z.string().describe('The config file.'),
        secretFile: z.string().nullable().describe('The file with its secret, which was deleted; null: it had none.'),
      }),
  ),
} as const;
