import type { Cron } from 'croner';
import { OutlastError } from '../../base/errors.ts';
import type { When } from '../../core/schedule/schedule.ts';
import { isTimeZone } from '../../core/schedule/zone-time.ts';

// The parser is loaded when the first schedule needs it: most daemons have none.

/** The planned times of a schedule. */
export interface Timeline {
  /** The first planned time after this one; null: none. */
  after(ms: number): number | null;
}

const EXAMPLE = 'weekdays at 9:00 are "0 9 * * 1-5"';
const NAMED = /^@(yearly|annually|monthly|weekly|daily|hourly)$/i;

/** The planned times of a schedule; an expression that cannot be read is refused. */
export async function timelineOf(when: When, timeZone: string): Promise<Timeline> {
  if (when.kind === 'at') return { after: (ms) => (when.atMs > ms ? when.atMs : null) };
  const { Cron } = await import('croner');
  const cron = parsed(Cron, when.cron, timeZone);
  return remembering((ms) => cron.nextRun(new Date(ms))?.getTime() ?? null);
}

/** The parser takes a millisecond for each answer; between two planned times it is the same. */
function remembering(after: Timeline['after']): Timeline {
  let known: { readonly fromMs: number; readonly nextMs: number } | null = null;
  return {
    after(ms) {
      if (known !== null && known.fromMs <= ms && ms < known.nextMs) return known.nextMs;
      const nextMs = after(ms);
      if (nextMs !== null) known = { fromMs: ms, nextMs };
      return nextMs;
    },
  };
}

/** Refuses a cron expression that cannot be read or never matches; returns it without extra spaces. */
export async function checkCron(text: string, timeZone: string, nowMs: number): Promise<string> {
  if (!isTimeZone(timeZone))
    throw invalid(`there is no time zone "${timeZone}"; use a name such as Europe/Berlin or UTC`);
  const cron = text.trim().replace(/\s+/g, ' ');
  const fields = cron.split(' ').length;
  const duration = /^\+?(\d+)\s?([mhd])$/.exec(cron);
  if (duration !== null) throw invalid(`--every takes a cron expression, not a duration; ${exampleFor(duration)}`);
  if (fields !== 5 && !NAMED.test(cron))
    throw invalid(
      `"${text}" is not a cron expression: it has ${fields} of 5 fields (minute hour day month weekday); ${EXAMPLE}`,
    );
  const { after } = await timelineOf({ kind: 'every', cron }, timeZone);
  if (after(nowMs) === null) throw invalid(`"${text}" never matches a time`);
  return cron;
}

function exampleFor([, count = '', unit = '']: readonly string[]): string {
  if (unit === 'm') return `every ${count} minutes is "*/${count} * * * *"`;
  return unit === 'h' ? `every ${count} hours is "0 */${count} * * *"` : 'every day at 9:00 is "0 9 * * *"';
}

function parsed(Parser: typeof Cron, text: string, timeZone: string): Cron {
  try {
    return new Parser(text, { timezone: timeZone, paused: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : String(cause);
    throw new OutlastError('input_invalid', `cannot read the cron expression "${text}": ${why}`, { cause });
  }
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
