import type { Rows } from './base/row.ts';

/** Commands that take over, steer and end sessions. */
export const CONTROL: Rows = {
  attach: {
    summary: 'Attach to the terminal of a session.',
    load: async () => (await import('./commands/attach.ts')).attach,
  },
  keys: {
    summary: 'Press keys in a session.',
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  paste: {
    summary: 'Paste text into a session.',
    load: async () => (await import('./commands/keys.ts')).paste,
  },
  interrupt: {
    summary: 'Interrupt a command, or the turn of an agent.',
    load: async () => (await import('./commands/interrupt.ts')).interrupt,
  },
  handoff: {
    summary: 'Give control of a session to a person, or take it back.',
    load: async () => (await import('./commands/handoff.ts')).handoff,
  },
  stop: {
    summary: 'End sessions and everything they started.',
    load: async () => (await import('./commands/stop.ts')).stop,
  },
  remove: {
    summary: 'Remove ended sessions and their output.',
    load: async () => (await import('./commands/remove.ts')).remove,
  },
};
