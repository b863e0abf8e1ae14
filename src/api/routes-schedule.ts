import type { Route } from './route.ts';

/** Routes about schedules. */
export const SCHEDULE_ROUTES = {
  'schedule.create': {
    method: 'POST',
    path: '/schedules',
    kind: 'call',
    does: 'starts',
    repeat: 'by key',
    sentence: 'Starts a session later, once or repeatedly.',
  },
  'schedule.list': {
    method: 'GET',
    path: '/schedules',
    kind: 'call',
    does: 'reads',
    repeat: 'always',
    sentence: 'Lists the schedules, oldest first.',
  },
  'schedule.show': {
    method: 'GET',
    path: '/schedules/:schedule',
    kind: 'call',
    does: 'reads',
    repeat: 'always',
    sentence: 'Shows a schedule, its next times and what happened to it.',
  },
  'schedule.pause': {
    method: 'POST',
    path: '/schedules/:schedule/pause',
    kind: 'call',
    does: 'host',
    repeat: 'always',
    sentence: 'Pauses a schedule: it starts nothing until it is resumed.',
  },
  'schedule.resume': {
    method: 'POST',
    path: '/schedules/:schedule/resume',
    kind: 'call',
    does: 'host',
    repeat: 'always',
    sentence: 'Resumes a paused schedule, from its next planned time on.',
  },
  'schedule.run': {
    method: 'POST',
    path: '/schedules/:schedule/run',
    kind: 'call',
    does: 'host',
    repeat: 'never',
    sentence: 'Starts a session of a schedule now, besides the planned ones.',
  },
  'schedule.remove': {
    method: 'DELETE',
    path: '/schedules/:schedule',
    kind: 'call',
    does: 'host',
    repeat: 'never',
    sentence: 'Removes a schedule; its sessions stay.',
  },
} as const satisfies Record<string, Route>;
