import type { Route } from './route.ts';

/** Routes for a person who types at the terminal of a session. */
export const CONTROL_ROUTES = {
  'session.control': {
    method: 'POST',
    path: '/sessions/:session/control',
    kind: 'stream',
    does: 'changes',
    repeat: 'never',
    waits: 'always',
    types: true,
    sentence: 'Gives control of the terminal to a person for as long as the connection lives.',
  },
  // The number of an input makes it known: one that came already is not typed again.
  'session.type': {
    method: 'POST',
    path: '/sessions/:session/typing',
    kind: 'call',
    does: 'changes',
    repeat: 'never',
    types: true,
    sentence: 'Types what a person types over a connection that has control.',
  },
} as const satisfies Record<string, Route>;
