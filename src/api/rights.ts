import type { Grant } from './grants.ts';
import type { OperationName } from './routes.ts';

/**
 * What an operation needs. `starts`: by what it starts, `prompt` for an agent and `exec` for a command. `drives`: by
 * the session or schedule that it names, likewise. `types`: `exec` to type into a command, `admin` into the terminal of
 * an agent. `nobody`: no page calls it, its server does.
 */
export type Need = Grant | 'starts' | 'drives' | 'types' | 'nobody';

/** What each operation needs from a device of the web page. It does not compile when one is missing. */
export const NEEDS: Readonly<Record<OperationName, Need>> = {
  'session.start': 'starts',
  'session.list': 'read',
  'session.watch': 'read',
  'session.show': 'read',
  'session.wait': 'read',
  'session.events': 'read',
  'session.output': 'read',
  'session.follow': 'read',
  'session.poll': 'read',
  'session.ack': 'drives',
  'session.screen': 'read',
  'session.screens': 'read',
  'session.write': 'types',
  'session.resize': 'types',
  'session.control': 'types',
  'session.type': 'types',
  'session.interrupt': 'drives',
  'session.prompt': 'prompt',
  'session.upload': 'prompt',
  'session.reply': 'read',
  'session.drop': 'prompt',
  'session.resume': 'prompt',
  'session.tell': 'prompt',
  'session.acknowledge': 'drives',
  'session.handoff': 'admin',
  'session.background': 'drives',
  'session.stop': 'drives',
  'session.remove': 'drives',
  'session.prune': 'admin',
  'session.attach': 'types',
  'session.turn': 'read',
  'session.turns': 'read',
  'session.logs': 'read',
  'session.report': 'read',
  'session.changes': 'read',
  'usage.days': 'read',
  'metrics.read': 'read',
  'limit.list': 'read',
  'approval.list': 'read',
  'approval.follow': 'read',
  'approval.decide': 'approve',
  'rule.list': 'read',
  'rule.remove': 'admin',
  'audit.read': 'read',
  'audit.verify': 'read',
  'device.record': 'nobody',
  'tmux.find': 'read',
  'tmux.capture': 'read',
  'tmux.wait': 'read',
  'boot.run': 'prompt',
  'boot.last': 'read',
  'conversation.resume': 'prompt',
  'search.query': 'read',
  'search.status': 'read',
  'search.delete': 'admin',
  'config.show': 'read',
  'config.reload': 'admin',
  'agent.list': 'read',
  'notice.list': 'read',
  'notice.test': 'admin',
  'notice.set': 'admin',
  'notice.remove': 'admin',
  'daemon.status': 'read',
  'daemon.caller': 'read',
  'daemon.stop': 'admin',
  'daemon.wake': 'read',
  'daemon.doctor': 'read',
  'schedule.create': 'starts',
  'schedule.list': 'read',
  'schedule.show': 'read',
  'schedule.pause': 'drives',
  'schedule.resume': 'drives',
  'schedule.run': 'drives',
  'schedule.remove': 'drives',
};

/** Fields that need a grant besides that of their operation. A value that says no, or nothing, needs none. */
const RESERVED: Readonly<Record<string, Grant>> = {
  trust: 'admin',
  policy: 'admin',
  agentArgs: 'admin',
  envNames: 'admin',
  set: 'admin',
  pathPrepend: 'admin',
  spawn: 'admin',
  force: 'admin',
  discard: 'admin',
  // The agent would run what follows a `!` as a command.
  asCommand: 'exec',
};

/** The grants that an operation with this input needs besides the one in `NEEDS`. */
export function reservedIn(input: Readonly<Record<string, unknown>>): Grant[] {
  const fields = Object.keys(RESERVED).filter((key) => Object.hasOwn(input, key) && says(input[key]));
  const needed = fields.flatMap((key) => RESERVED[key] ?? []);
  const inner = isObject(input.start) ? reservedIn(input.start) : [];
  return [...new Set([...needed, ...inner, ...(isLooseGate(input.gate) ? (['approve'] as const) : [])])];
}

/** Does it start an agent, rather than a command? */
export function startsAgent(input: Readonly<Record<string, unknown>>): boolean {
  const start = isObject(input.start) ? input.start : input;
  return start.agent !== undefined;
}

/** Lets calls through that would be asked about: that is an approval in advance. */
function isLooseGate(gate: unknown): boolean {
  if (!isObject(gate)) return false;
  return (gate.mode !== undefined && gate.mode !== 'gate') || says(gate.allow);
}

function says(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 'false') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
