import type { Route } from './route.ts';

/** Routes about the work of an agent: files for it, and what it did. */
export const WORK_ROUTES = {
  'session.upload': {
    method: 'POST',
    path: '/sessions/:session/files',
    kind: 'call',
    does: 'changes',
    repeat: 'by key',
    sentence: 'Puts a file, or a piece of one, into the folder of a session.',
  },
  'session.turn': {
    method: 'GET',
    path: '/sessions/:session/turn',
    kind: 'call',
    does: 'reads',
    repeat: 'always',
    sentence: 'Reads a turn of the conversation.',
  },
  'session.turns': {
    method: 'GET',
    path: '/sessions/:session/turns',
    kind: 'stream',
    does: 'reads',
    repeat: 'always',
    waits: 'with follow',
    sentence: 'Reads the conversation step by step, and follows it.',
  },
  'session.logs': {
    method: 'GET',
    path: '/sessions/:session/logs',
    kind: 'stream',
    does: 'reads',
    repeat: 'always',
    waits: 'with follow',
    sentence: 'Reads what happened in an agent session as people read it, and follows it.',
  },
  'session.report': {
    method: 'GET',
    path: '/sessions/:session/report',
    kind: 'call',
    does: 'reads',
    repeat: 'always',
    sentence: 'Reports on one page what happened to a session.',
  },
  'session.changes': {
    method: 'GET',
    path: '/sessions/:session/changes',
    kind: 'call',
    does: 'reads',
    repeat: 'always',
    sentence: 'Shows which files an agent session has changed.',
  },
} as const satisfies Record<string, Route>;
