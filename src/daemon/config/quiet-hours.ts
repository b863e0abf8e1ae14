import * as z from 'zod';
import { EVENT_TYPES } from '../../core/event-types.ts';

const SHORT = { answered: 'prompt.answered', asked: 'approval.asked', held: 'session.held' } as const;
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:30');

/** When messages to people wait. */
export const configQuietHours = z
  .strictObject({
    from: time.describe('Their beginning, such as `22:00`.'),
    to: time.describe('Their end, such as `07:00`. What waited is sent then, as one message.'),
    timeZone: z
      .string()
      .refine(isTimeZone, 'must be the name of a time zone such as Europe/Berlin')
      .optional()
      .describe('The time zone of both, such as `Europe/Berlin`. Default: that of the daemon.'),
    except: z
      .array(z.enum(['answered', 'asked', 'held', ...EVENT_TYPES]))
      .default(['asked'])
      .describe('What is sent even in quiet hours: `asked`, `held`, `answered`, or names of events.'),
  })
  .transform((hours) => ({ ...hours, except: hours.except.map(eventNamed) }))
  .refine(({ from, to }) => from !== to, 'quietHours begin when they end');

/** Expands the short names of common events. */
export function eventNamed<W extends string>(
  word: W,
): Exclude<W, keyof typeof SHORT> | (typeof SHORT)[keyof typeof SHORT] {
  return Object.hasOwn(SHORT, word) ? SHORT[word as keyof typeof SHORT] : (word as Exclude<W, keyof typeof SHORT>);
}

/** The word that people write for an event: its short name, if it has one. */
export function wordFor(event: string): string {
  return Object.entries(SHORT).find(([, type]) => type === event)?.[0] ?? event;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
