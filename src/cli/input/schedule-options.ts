import type { ScheduleInput } from '../../client/index.ts';
import type { Values } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { wrongCall } from '../base/parse.ts';

/** Options of `start` and `exec` that start a session later. */
export const SCHEDULE_OPTIONS = {
  at: {
    type: 'string',
    value: 'TIME',
    sentence: 'Start it at this time: 18:30, "tomorrow 9:00", 2026-11-20T09:00 or +2h.',
    otherwise: 'now',
  },
  every: {
    type: 'string',
    value: 'CRON',
    sentence: 'Start one at each of these times: minute hour day month weekday.',
  },
  tz: { type: 'string', value: 'ZONE', sentence: 'Time zone of --at and --every.', otherwise: 'yours' },
  missed: {
    type: 'string',
    value: 'run|skip',
    sentence: 'What to do about times that passed while no daemon was running.',
    otherwise: 'run: start one session for all of them',
  },
  overlap: {
    type: 'string',
    value: 'skip|queue|start',
    sentence: 'What to do if the last session of --every is still working.',
    otherwise: 'skip',
  },
  until: { type: 'string', value: 'TIME', sentence: 'End of --every.', otherwise: 'none' },
  count: { type: 'string', value: 'N', sentence: 'End --every after N sessions.', otherwise: 'no limit' },
} as const;

const MISSED = ['run', 'skip'] as const;
const OVERLAP = ['skip', 'queue', 'start'] as const;

/** When sessions are started; null: now. */
export function scheduleInput(
  name: string,
  values: Values<typeof SCHEDULE_OPTIONS>,
): Omit<ScheduleInput, 'start'> | null {
  const { at, every, tz, until } = values;
  const extra = Object.keys(SCHEDULE_OPTIONS).find((each) => values[each as keyof typeof values] !== undefined);
  if (at === undefined && every === undefined) {
    if (extra === undefined) return null;
    throw wrongCall(`${name}: --${extra} needs --at or --every`);
  }
  if (at !== undefined && every !== undefined) throw wrongCall(`${name}: choose one of --at and --every`);
  const repeating = (['overlap', 'until', 'count'] as const).find((each) => values[each] !== undefined);
  if (at !== undefined && repeating !== undefined) throw wrongCall(`${name}: --${repeating} needs --every`);
  const count = countOf('--count', values.count);
  if (count === 0) throw wrongCall('--count must be 1 or more');
  return {
    ...(at === undefined ? {} : { at }),
    ...(every === undefined ? {} : { every }),
    ...(tz === undefined ? {} : { timezone: tz }),
    ...oneOf('missed', values.missed, MISSED),
    ...oneOf('overlap', values.overlap, OVERLAP),
    ...(until === undefined ? {} : { until }),
    ...(count === undefined ? {} : { count }),
  };
}

function oneOf<K extends string, W extends string>(
  option: K,
  word: string | undefined,
  words: readonly W[],
): { [k in K]?: W } {
  if (word === undefined) return {};
  const known = words.find((each) => each === word);
  if (known === undefined) throw wrongCall(`--${option}: "${word}" is not one of ${words.join(', ')}`);
  return { [option]: known } as { [k in K]?: W };
}
