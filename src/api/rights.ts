import type { OperationName } from './routes.ts';

/**
 * What an operation does, which decides what it may from inside of a session. `reads`: nothing changes. `changes`: the
 * session it names, which must be one that the caller's session started, or itself. `starts`: a session begins, which
 * the caller's session owns. `host`: it is not about one session; its handler says who may.
 */
export type Does = 'reads' | 'changes' | 'starts' | 'host';

/** Every operation has a class. Plain data, as the routes. */
export const DOES = {
  'session.start': 'starts',
  'session.list': 'reads',
  'session.show': 'reads',
  'session.wait': 'reads',
  'session.events': 'reads',
  'session.output': 'reads',
  'session.follow': 'reads',
  'session.poll': 'reads',
  // What a reader has read is not given to it again.
  'session.ack': 'changes',
  // Nor is its owner told of it.
  'session.seen': 'changes',
  'session.screen': 'reads',
  'session.write': 'changes',
  'session.resize': 'changes',
  'session.interrupt': 'changes',
  'session.prompt': 'changes',
  'session.reply': 'reads',
  'session.drop': 'changes',
  'session.turn': 'reads',
  'session.report': 'reads',
  'session.resume': 'changes',
  'session.tell': 'host',
  'session.handoff': 'changes',
  'session.background': 'changes',
  'session.stop': 'changes',
  'session.remove': 'changes',
  'session.prune': 'host',
  // Whoever attaches types, and may open a screen for it.
  'session.attach': 'changes',
  'usage.days': 'reads',
  'approval.list': 'reads',
  'approval.follow': 'reads',
  'approval.decide': 'host',
  'rule.list': 'reads',
  'rule.remove': 'host',
  'audit.read': 'reads',
  'audit.verify': 'reads',
  'tmux.find': 'reads',
  'tmux.capture': 'reads',
  'tmux.wait': 'reads',
  'boot.run': 'host',
  'boot.last': 'reads',
  'conversation.resume': 'starts',
  'daemon.status': 'reads',
  'daemon.stop': 'host',
  // It notices that by itself, too.
  'daemon.wake': 'reads',
  'daemon.doctor': 'reads',
} as const satisfies Record<OperationName, Does>;
