// Every operation of the product: where it is and what it does. Plain data, so that the CLI can load it in no time.
// contract.ts adds what goes in and out; it does not compile when a name is missing there.

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** call: one JSON answer. stream: JSON lines until it ends or the caller leaves. */
  readonly kind: 'call' | 'stream';
  readonly sentence: string;
}

export const ROUTES = {
  'session.start': { method: 'POST', path: '/sessions', kind: 'call', sentence: 'Starts a command as a session.' },
  'session.list': { method: 'GET', path: '/sessions', kind: 'call', sentence: 'Lists sessions, newest first.' },
  'session.show': {
    method: 'GET',
    path: '/sessions/:session',
    kind: 'call',
    sentence: 'Shows all that is known of one session.',
  },
  'session.wait': {
    method: 'GET',
    path: '/sessions/:session/wait',
    kind: 'call',
    sentence: 'Waits for an exit, a silence or a text.',
  },
  'session.events': {
    method: 'GET',
    path: '/events',
    kind: 'stream',
    sentence: 'Reads the journal from a position, and follows it.',
  },
  'session.output': {
    method: 'GET',
    path: '/sessions/:session/output',
    kind: 'call',
    sentence: 'Reads output by byte or by line.',
  },
  'session.follow': {
    method: 'GET',
    path: '/sessions/:session/follow',
    kind: 'stream',
    sentence: 'Follows output until the session ends.',
  },
  'session.poll': {
    method: 'GET',
    path: '/sessions/:session/poll',
    kind: 'call',
    sentence: 'Reads what a named reader has not read yet.',
  },
  'session.ack': { method: 'POST', path: '/sessions/:session/ack', kind: 'call', sentence: 'Moves a named reader on.' },
  'session.screen': {
    method: 'GET',
    path: '/sessions/:session/screen',
    kind: 'call',
    sentence: 'Shows what a person would see.',
  },
  'session.write': {
    method: 'POST',
    path: '/sessions/:session/input',
    kind: 'call',
    sentence: 'Sends bytes, keys or a paste.',
  },
  'session.resize': {
    method: 'POST',
    path: '/sessions/:session/size',
    kind: 'call',
    sentence: 'Changes the size of the terminal.',
  },
  'session.interrupt': {
    method: 'POST',
    path: '/sessions/:session/interrupt',
    kind: 'call',
    sentence: 'Interrupts the command, as Ctrl-C does.',
  },
  'session.background': {
    method: 'POST',
    path: '/sessions/:session/background',
    kind: 'call',
    sentence: 'Says that nobody waits for it any more.',
  },
  'session.stop': {
    method: 'POST',
    path: '/sessions/:session/stop',
    kind: 'call',
    sentence: 'Ends a session and everything it started.',
  },
  'session.remove': {
    method: 'DELETE',
    path: '/sessions/:session',
    kind: 'call',
    sentence: 'Removes an ended session and its output.',
  },
  'session.prune': {
    method: 'POST',
    path: '/prune',
    kind: 'call',
    sentence: 'Removes ended sessions older than an age.',
  },
  'session.attach': {
    method: 'GET',
    path: '/sessions/:session/attach',
    kind: 'call',
    sentence: 'Gives the command that takes over the terminal.',
  },
  'tmux.find': {
    method: 'POST',
    path: '/tmux/find',
    kind: 'call',
    sentence: 'Lists tmux sessions over all sockets, ours and foreign.',
  },
  'tmux.capture': { method: 'POST', path: '/tmux/capture', kind: 'call', sentence: 'Reads the screen of a tmux pane.' },
  'tmux.wait': { method: 'POST', path: '/tmux/wait', kind: 'call', sentence: 'Waits for a text in a tmux pane.' },
  'daemon.status': { method: 'GET', path: '/daemon', kind: 'call', sentence: 'Tells how the daemon is.' },
  'daemon.stop': { method: 'POST', path: '/daemon/stop', kind: 'call', sentence: 'Stops the daemon; sessions go on.' },
  'daemon.doctor': { method: 'GET', path: '/doctor', kind: 'call', sentence: 'Checks everything the daemon needs.' },
} as const satisfies Record<string, Route>;

export type OperationName = keyof typeof ROUTES;
