import type { Rows } from './base/row.ts';

/** The commands about schedules. */
export const SCHEDULES: Rows = {
  'schedule list': {
    summary: 'List schedules, with the next time of each.',
    load: async () => (await import('./commands/schedule.ts')).scheduleList,
  },
  'schedule show': {
    summary: 'Show a schedule, its next times and what happened to it.',
    load: async () => (await import('./commands/schedule.ts')).scheduleShow,
  },
  'schedule pause': {
    summary: 'Pause a schedule.',
    load: async () => (await import('./commands/schedule.ts')).schedulePause,
  },
  'schedule resume': {
    summary: 'Resume a paused schedule.',
    load: async () => (await import('./commands/schedule.ts')).scheduleResume,
  },
  'schedule run-now': {
    summary: 'Start a session of a schedule now.',
    load: async () => (await import('./commands/schedule.ts')).scheduleRun,
  },
  'schedule remove': {
    summary: 'Remove a schedule.',
    load: async () => (await import('./commands/schedule.ts')).scheduleRemove,
  },
};
