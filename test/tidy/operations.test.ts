import { expect, test } from 'vitest';
import { CONTRACT } from '../../src/api/contract.ts';
import { type OperationName, ROUTES } from '../../src/api/routes.ts';
import { realClock } from '../../src/base/clock.ts';
import { OutlastError } from '../../src/base/errors.ts';
import type { Connection } from '../../src/client/calls.ts';
import { Outlast } from '../../src/client/client.ts';
import { isReadOnly } from '../../src/mcp/tool.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { sources } from './tree.ts';

// There is one row per operation in src/api/routes-*.ts. These tests compare hand-written code with those rows.

const NAMES = Object.keys(ROUTES) as OperationName[];
const session = 's';

/** The SDK call for each operation. This does not compile until the SDK has a method for a new operation. */
const SDK: Readonly<Record<OperationName, (outlast: Outlast) => unknown>> = {
  'schedule.create': (outlast) => outlast.schedules.create({ at: '+1h', start: { argv: ['true'], cwd: '/', env: {} } }),
  'schedule.list': (outlast) => outlast.schedules.list(),
  'schedule.show': (outlast) => outlast.schedules.show('s'),
  'schedule.pause': (outlast) => outlast.schedules.pause('s'),
  'schedule.resume': (outlast) => outlast.schedules.resume('s'),
  'schedule.run': (outlast) => outlast.schedules.run('s'),
  'schedule.remove': (outlast) => outlast.schedules.remove('s'),
  'session.start': (outlast) => outlast.start({ argv: ['true'], cwd: '/', env: {} }),
  'session.list': (outlast) => outlast.list(),
  'session.watch': (outlast) => outlast.watch().next(),
  'session.show': (outlast) => outlast.session(session).show(),
  'session.wait': (outlast) => outlast.session(session).wait(),
  'session.events': (outlast) => outlast.events().next(),
  'session.output': (outlast) => outlast.session(session).output(),
  'session.follow': (outlast) => outlast.session(session).follow().next(),
  'session.poll': (outlast) => outlast.session(session).poll(),
  'session.ack': (outlast) => outlast.session(session).ack(1),
  'session.screen': (outlast) => outlast.session(session).screen(),
  'session.screens': (outlast) => outlast.session(session).screens().next(),
  'session.write': (outlast) => outlast.session(session).keys(['Enter']),
  'session.resize': (outlast) => outlast.session(session).resize(80, 24),
  'session.control': (outlast) => outlast.control({ session })[Symbol.asyncIterator]().next(),
  'session.type': (outlast) => outlast.type({ session, control: 'c', number: 0 }),
  'session.interrupt': (outlast) => outlast.session(session).interrupt(),
  'session.prompt': (outlast) => outlast.session(session).prompt('x'),
  'session.upload': (outlast) => outlast.session(session).upload({ name: 'x', content: new Uint8Array(1) }),
  'session.reply': (outlast) => outlast.session(session).reply(),
  'session.drop': (outlast) => outlast.session(session).drop('p'),
  'session.turn': (outlast) => outlast.session(session).turn(),
  'session.turns': (outlast) => outlast.session(session).turns().next(),
  'session.logs': (outlast) => outlast.session(session).logs().next(),
  'session.changes': (outlast) => outlast.session(session).changes(),
  'session.report': (outlast) => outlast.session(session).report(),
  'session.resume': (outlast) => outlast.session(session).resume(),
  'session.tell': (outlast) => outlast.tell('x'),
  'session.acknowledge': (outlast) => outlast.acknowledge(session),
  'session.handoff': (outlast) => outlast.session(session).handoff(),
  'session.background': (outlast) => outlast.session(session).background(),
  'session.stop': (outlast) => outlast.session(session).stop(),
  'session.remove': (outlast) => outlast.session(session).remove(),
  'session.prune': (outlast) => outlast.prune({ olderThanMs: 1 }),
  'session.attach': (outlast) => outlast.session(session).attach(),
  'usage.days': (outlast) => outlast.usage(),
  'metrics.read': (outlast) => outlast.metrics(),
  'limit.list': (outlast) => outlast.limits(),
  'approval.list': (outlast) => outlast.approvals.list(),
  'approval.follow': (outlast) => outlast.approvals.follow().next(),
  'approval.decide': (outlast) => outlast.approvals.decide('q', true),
  'notice.list': (outlast) => outlast.notices(),
  'notice.test': (outlast) => outlast.testNotice('n'),
  'notice.remove': (outlast) => outlast.removeNotice('n'),
  'notice.set': (outlast) => outlast.setNotice({ notice: { name: 'n', desktop: true } }),
  'rule.list': (outlast) => outlast.approvals.rules(),
  'rule.remove': (outlast) => outlast.approvals.removeRule({ workspace: '/w', effect: 'allow', text: 'Bash(x)' }),
  'audit.read': (outlast) => outlast.approvals.audit()[Symbol.asyncIterator]().next(),
  'audit.verify': (outlast) => outlast.approvals.verify(),
  'device.record': (outlast) =>
    outlast.approvals.recordDevice({ did: 'linked', device: null, browser: null, grants: ['read'], by: 'caller' }),
  'tmux.find': (outlast) => outlast.tmuxFind(),
  'tmux.capture': (outlast) => outlast.tmuxCapture({ socket: '/s', target: 't' }),
  'tmux.wait': (outlast) => outlast.tmuxWait({ socket: '/s', target: 't', text: 'x' }),
  'boot.run': (outlast) => outlast.boot(),
  'boot.last': (outlast) => outlast.lastBoots(),
  'conversation.resume': (outlast) => outlast.takeOver({ conversation: 'c' }),
  'search.query': (outlast) => outlast.search({ words: 'x' }),
  'search.status': (outlast) => outlast.searchStatus(),
  'search.delete': (outlast) => outlast.deleteSearchIndex(),
  'agent.list': (outlast) => outlast.agents(),
  'config.show': (outlast) => outlast.config(),
  'config.reload': (outlast) => outlast.reloadConfig(),
  'daemon.status': (outlast) => outlast.daemonStatus(),
  'daemon.caller': (outlast) => outlast.inside(),
  'daemon.stop': (outlast) => outlast.stopDaemon(),
  'daemon.wake': (outlast) => outlast.wake(),
  'daemon.doctor': (outlast) => outlast.doctor(),
};

/** Operations without an MCP tool, and why. */
const NO_TOOL: Readonly<Partial<Record<OperationName, string>>> = {
  'session.show': 'session_list has its state, and the resource outlast://sessions/ID the rest',
  'session.watch': 'a stream; session_list has the list as it is',
  'session.ack': 'exec and process poll advance the cursor of what they show',
  'session.screen': 'the screen of a command is in its output; the screen of an agent is for people',
  'session.screens': 'the screen of a command is in its output; the screen of an agent is for people',
  'session.resize': 'only a person has a terminal whose size changes',
  'session.control': 'only a person takes control from an agent',
  'session.type': 'only a person has control; process write sends input',
  'session.upload': 'a tool call has no bytes to send; images are named by their paths',
  'session.drop': 'a person decides about a prompt that may have arrived',
  'session.turns': 'a stream; session_turn reads one turn at a time',
  'session.report': 'a page for people',
  'session.resume': 'a person decides to resume what was held or has ended',
  'session.acknowledge': 'the reading tools acknowledge what they show',
  'session.handoff': 'control is given to people by people',
  'session.prune': 'housekeeping of the host',
  'session.attach': 'needs a terminal',
  'usage.days': 'accounting of the host',
  'limit.list': 'accounting of the host',
  'metrics.read': 'monitoring of the host',
  'approval.follow': 'a tool call has one answer; approval_list has what is pending',
  'rule.list': 'rules are managed by people',
  'rule.remove': 'rules are managed by people',
  'audit.read': 'the audit is read by people',
  'audit.verify': 'the audit is read by people',
  'device.record': 'only the server of the web page says who signed in to it',
  'tmux.find': 'sessions that Outlast did not start are managed on the command line',
  'tmux.capture': 'sessions that Outlast did not start are managed on the command line',
  'tmux.wait': 'sessions that Outlast did not start are managed on the command line',
  'boot.last': 'boot_scan scans again',
  'conversation.resume': 'a person decides what to take over',
  'search.status': 'administration of the host',
  'search.delete': 'administration of the host',
  'agent.list': 'session_start names the agents that it knows when it refuses one',
  'notice.list': 'people are told, and decide where',
  'notice.test': 'an agent does not send messages to people by it',
  'notice.remove': 'an agent must not decide whether people are told',
  'notice.set': 'an agent must not add an address to which its replies go',
  'config.show': 'administration of the host',
  'config.reload': 'administration of the host',
  'daemon.status': 'administration of the host',
  'daemon.caller': 'for servers that ask about their own callers',
  'daemon.stop': 'administration of the host',
  'daemon.wake': 'administration of the host',
  'daemon.doctor': 'administration of the host',
};

/** A client whose calls are all refused, and the names of the calls. */
function refusing(): { outlast: Outlast; called: OperationName[] } {
  const called: OperationName[] = [];
  const refuse = (name: OperationName): never => {
    called.push(name);
    throw new OutlastError('not_supported', 'this is a test');
  };
  const transport: Connection = {
    call: async (name) => refuse(name),
    // biome-ignore lint/correctness/useYield: it is refused before its first line
    async *follow(name) {
      refuse(name);
    },
    close: () => {},
  };
  const own = () => ({ cwd: '/', env: {} });
  return { outlast: new Outlast(transport, own, realClock(), () => ({ pid: 1, start: null, run: 's.1' })), called };
}

test('the contract has the operations of the rows, and no others', () => {
  expect(Object.keys(CONTRACT).sort()).toEqual([...NAMES].sort());
});

test.each(NAMES)('the SDK has a method for %s', async (name) => {
  const { outlast, called } = refusing();
  await Promise.resolve(SDK[name](outlast)).catch(() => {});
  expect(called).toEqual([name]);
});

test('every operation has an MCP tool, or a reason why it has none', () => {
  const withTool = new Set(TOOLS.flatMap(({ operations }) => operations));
  const isListed = (name: OperationName): boolean => name in NO_TOOL;
  expect(NAMES.filter((name) => !withTool.has(name) && !isListed(name))).toEqual([]);
  expect(NAMES.filter((name) => withTool.has(name) && isListed(name))).toEqual([]);
});

test('a tool that is marked read-only reads, or asks for a dry run', () => {
  const readOnly = TOOLS.filter(isReadOnly).map(({ name }) => name);
  const reading = [
    'session_wait',
    'session_turn',
    'session_logs',
    'session_changes',
    'session_events',
    'session_list',
    'session_output',
    'search',
  ];
  expect(readOnly).toEqual([...reading, 'approval_list', 'boot_scan', 'schedule_list']);
  const dry = TOOLS.filter(({ dryRun }) => dryRun).flatMap(({ operations }) => operations);
  expect(dry.filter((name) => !('dryRun' in shapeOf(name)))).toEqual([]);
});

test('an operation that waits has a timeout parameter, or is a stream', () => {
  const waiting = NAMES.filter((name) => 'waits' in ROUTES[name] && ROUTES[name].kind === 'call');
  expect(waiting.filter((name) => !('timeoutMs' in shapeOf(name)))).toEqual([]);
  const bounded = NAMES.filter((name) => 'timeoutMs' in shapeOf(name) && !('waits' in ROUTES[name]));
  // The time limit of the session, not of the call.
  expect(bounded).toEqual(['session.start']);
});

function shapeOf(name: OperationName): object {
  return CONTRACT[name].input.shape;
}

/** A doc comment, and the operation of the method below it. */
const METHOD = /\/\*\* ([^*]+) \*\/\n {2}\w+\([^\n]*\{\n {4}return this\.call\('([\w.]+)'/g;

test('the SDK describes an operation with the sentence in its row', () => {
  const text = sources().find(({ path }) => path === 'src/client/calls.ts')?.text ?? '';
  const methods = [...text.matchAll(METHOD)].map(([, says = '', name = '']) => ({ says, name: name as OperationName }));
  expect(methods.length).toBeGreaterThan(25);
  expect(methods.filter(({ says, name }) => !says.startsWith(ROUTES[name].sentence))).toEqual([]);
});
