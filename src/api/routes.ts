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
  'session.start': { method: 'POST', path: '/sessions', kind: 'call', sentence: 'Starts a command or an agent.' },
  'session.list': {
    method: 'GET',
    path: '/sessions',
    kind: 'call',
    sentence: 'Lists sessions: live ones first, then those that have ended; newest first.',
  },
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
    sentence: 'Waits for an end, an idle agent, an event, a silence or a text.',
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
    sentence: 'Interrupts the command, as Ctrl-C does, or ends the turn of an agent.',
  },
  'session.prompt': {
    method: 'POST',
    path: '/sessions/:session/prompts',
    kind: 'call',
    sentence: 'Gives an agent a prompt; it is queued durably and sent when the agent is free.',
  },
  'session.reply': {
    method: 'GET',
    path: '/sessions/:session/reply',
    kind: 'call',
    sentence: 'Waits for the reply to a prompt.',
  },
  'session.drop': {
    method: 'POST',
    path: '/sessions/:session/drop',
    kind: 'call',
    sentence: 'Takes back a prompt that is queued or unsure.',
  },
  'session.turn': {
    method: 'GET',
    path: '/sessions/:session/turn',
    kind: 'call',
    sentence: 'Reads a turn of the conversation.',
  },
  'session.report': {
    method: 'GET',
    path: '/sessions/:session/report',
    kind: 'call',
    sentence: 'Tells on one page what happened to a session.',
  },
  'session.resume': {
    method: 'POST',
    path: '/sessions/:session/resume',
    kind: 'call',
    sentence: 'Brings an ended session of an agent back, on the same conversation.',
  },
  'session.tell': {
    method: 'POST',
    path: '/tell',
    kind: 'call',
    sentence: 'Tells the owner of the session that the caller runs inside of something.',
  },
  'session.seen': {
    method: 'POST',
    path: '/sessions/:session/seen',
    kind: 'call',
    sentence: 'Says that the end of a session was read: if its owner did, it is not told of it any more.',
  },
  'session.handoff': {
    method: 'POST',
    path: '/sessions/:session/handoff',
    kind: 'call',
    sentence: 'Gives control to a person, or takes it back.',
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
  'usage.days': {
    method: 'GET',
    path: '/usage',
    kind: 'call',
    sentence: 'Tells what was used up on each of the last days, by model and by session.',
  },
  'approval.list': {
    method: 'GET',
    path: '/approvals',
    kind: 'call',
    sentence: 'Lists the tool calls that wait for an answer, oldest first.',
  },
  'approval.follow': {
    method: 'GET',
    path: '/approvals/follow',
    kind: 'stream',
    sentence: 'Tells which tool calls wait for an answer, and goes on with those that come and go.',
  },
  'approval.decide': {
    method: 'POST',
    path: '/approvals/decide',
    kind: 'call',
    sentence: 'Allows a tool call or denies it, once.',
  },
  'rule.list': { method: 'GET', path: '/rules', kind: 'call', sentence: 'Lists the rules that were kept.' },
  'rule.remove': { method: 'POST', path: '/rules/remove', kind: 'call', sentence: 'Forgets a rule that was kept.' },
  'audit.read': {
    method: 'GET',
    path: '/audit',
    kind: 'stream',
    sentence: 'Reads the decisions about tool calls, oldest first.',
  },
  'audit.verify': {
    method: 'GET',
    path: '/audit/verify',
    kind: 'call',
    sentence: 'Proves that no decision was changed, taken out or put in, or names the first one that was.',
  },
  'tmux.find': {
    method: 'POST',
    path: '/tmux/find',
    kind: 'call',
    sentence: 'Lists tmux sessions over all sockets, ours and foreign.',
  },
  'tmux.capture': { method: 'POST', path: '/tmux/capture', kind: 'call', sentence: 'Reads the screen of a tmux pane.' },
  'tmux.wait': { method: 'POST', path: '/tmux/wait', kind: 'call', sentence: 'Waits for a text in a tmux pane.' },
  'boot.run': {
    method: 'POST',
    path: '/boot',
    kind: 'call',
    sentence:
      'Looks for interrupted conversations that we did not begin, and resumes them as the policy or the caller says.',
  },
  'boot.last': { method: 'GET', path: '/boot', kind: 'call', sentence: 'Tells what the last looks found and did.' },
  'conversation.resume': {
    method: 'POST',
    path: '/conversations/:conversation/resume',
    kind: 'call',
    sentence: 'Takes over a conversation that we did not begin, as a session of ours.',
  },
  'daemon.status': { method: 'GET', path: '/daemon', kind: 'call', sentence: 'Tells how the daemon is.' },
  'daemon.stop': { method: 'POST', path: '/daemon/stop', kind: 'call', sentence: 'Stops the daemon; sessions go on.' },
  'daemon.wake': {
    method: 'POST',
    path: '/daemon/wake',
    kind: 'call',
    sentence: 'Tells the daemon that the machine woke up; it notices that by itself, too.',
  },
  'daemon.doctor': { method: 'GET', path: '/doctor', kind: 'call', sentence: 'Checks everything the daemon needs.' },
} as const satisfies Record<string, Route>;

export type OperationName = keyof typeof ROUTES;
