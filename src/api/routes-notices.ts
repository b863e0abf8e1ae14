import type { Route } from './route.ts';

/** Operations about notices. */
export const NOTICE_ROUTES = {
  'notice.list': {
    method: 'GET',
    path: '/notices',
    kind: 'call',
    does: 'reads',
    repeat: 'always',
    sentence: 'Lists the notices, and how their last deliveries went.',
  },
  'notice.test': {
    method: 'POST',
    path: '/notices/test',
    kind: 'call',
    does: 'host',
    repeat: 'never',
    sentence: 'Sends a test message to one notice, once.',
  },
  'notice.set': {
    method: 'POST',
    path: '/notices',
    kind: 'call',
    does: 'host',
    repeat: 'never',
    sentence: 'Adds a notice to the config file, and begins to send it.',
  },
  'notice.remove': {
    method: 'POST',
    path: '/notices/remove',
    kind: 'call',
    does: 'host',
    repeat: 'never',
    sentence: 'Removes a notice from the config file, with its secret, and sends it no more.',
  },
} as const satisfies Readonly<Record<string, Route>>;
