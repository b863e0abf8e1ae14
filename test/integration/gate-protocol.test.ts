import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as alone, expect } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { echoes } from '../../src/agent/echo/echo.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import type { ProtocolGate } from '../../src/agent/seam/gate.ts';
import type { Outgoing, ServerDrive, ServerReport } from '../../src/agent/seam/server.ts';
import { realClock } from '../../src/base/clock.ts';
import type { SessionId } from '../../src/core/session.ts';
import { Gates, PROBE, type Proof } from '../../src/daemon/gate/gates.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { isAlive } from '../../src/terminal/processes.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import { eventually } from '../eventually.ts';

/** Each has its own folder and mostly waits. */
const test = alone.concurrent;

const ECHO = join(import.meta.dirname, '../../dist/echo.js');
const WIRES = ['echo', 'echo-websocket', 'echo-http'] as const;

/** Its child makes the call that waited when it was killed, as a wrapper could. */
const OUTLIVES = `
const { spawn } = await import('node:child_process');
const how = { stdio: ['pipe', 'ignore', 'ignore'] };
if (process.argv.includes('--server')) spawn('sh', ['-c', 'read line; : > outlast-killed'], how).unref();
`;

/** An echo with this fault, and the gates that probe it. */
function probeWorld(fault = 'waits') {
  const folder = mkdtempSync(join(tmpdir(), 'ol-gates-'));
  const program = join(folder, 'echo.mjs');
  const counted = join(folder, 'trials');
  const become = (fault: string): void =>
    writeFileSync(
      program,
      [
        `import { appendFileSync } from 'node:fs';`,
        `if (process.argv.includes('--server')) appendFileSync(${JSON.stringify(counted)}, 'trial\\n');`,
        `process.env.ECHO_GATE = ${JSON.stringify(fault)};`,
        ...(fault === 'outlives' ? [OUTLIVES] : []),
        `if (process.env.ECHO_GATE === 'crashes' && process.argv.includes('--server')) process.exit(3);`,
        `await import(${JSON.stringify(ECHO)});`,
      ].join('\n'),
    );
  become(fault);
  const agents = Object.fromEntries(echoes(process.execPath, program).map((agent) => [agent.name, agent]));
  const gates = (all: Readonly<Record<string, Agent>> = agents): Gates =>
    new Gates({
      ...{ state: folder, clock: realClock(), agents: all, env: () => ({}), log: () => {} },
      permissionServer: ['false'],
    });
  return {
    ...{ folder, agents, gates, become },
    probes: () => (existsSync(counted) ? readFileSync(counted, 'utf8').trim().split('\n').length : 0),
    kept: () => Object.values(JSON.parse(readIfThere(join(folder, 'gates.json')) ?? '{}')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readIfThere(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

const PATH = process.env.PATH ?? '';

test.each(WIRES)('%s is probed once over its messages, and again when its program changes', async (name) => {
  using world = probeWorld();
  const gates = world.gates();
  expect(await gates.demand(name, 'server', PATH)).toBe('protocol');
  expect(world.kept()).toMatchObject([{ denies: true, allows: true, by: 'protocol', version: '1.0.0', probe: PROBE }]);
  expect(await gates.demand(name, 'server', PATH)).toBe('protocol');
  expect(await world.gates().demand(name, 'server', PATH)).toBe('protocol');
  expect(world.probes()).toBe(1);
  world.become('rushes');
  await expect(gates.demand(name, 'server', PATH)).rejects.toMatchObject({ code: 'gate_unsafe' });
  expect(world.probes()).toBe(2);
  expect(readdirSync(world.folder).filter((each) => each.startsWith('probe.'))).toEqual([]);
});

test('each wire is probed separately', async () => {
  using world = probeWorld();
  const gates = world.gates();
  for (const name of WIRES) expect(await gates.demand(name, 'server', PATH)).toBe('protocol');
  expect(world.probes()).toBe(3);
});

test.each([
  ['skips', 'echo-http', 'a call ran that should have been held back (denied, failed, silent, garbage, killed)'],
  ['rushes', 'echo-websocket', 'a call ran that should have been held back (denied, failed, silent, garbage, killed)'],
  // On a busy machine it may not even wait for the first answer.
  ['impatient', 'echo', 'failed, silent'],
  ['outlives', 'echo', 'a call ran that should have been held back (killed)'],
  ['reads', 'echo', 'a call that only reads ran without an answer'],
  ['refuses', 'echo', 'it holds back even what is allowed'],
  ['crashes', 'echo', 'the probe did not finish: its process ended'],
])('T-GATE-16: an agent that %s, %s, is refused: %s', async (fault, name, why) => {
  using world = probeWorld(fault);
  const refused = world.gates().demand(name, 'server', PATH);
  await expect(refused).rejects.toMatchObject({ code: 'gate_unsafe', message: expect.stringContaining(why) });
});

test('an agent that repeats its question some time after a reconnect gets its answer', async () => {
  using world = probeWorld('repeats');
  expect(await world.gates().demand('echo-websocket', 'server', PATH)).toBe('protocol');
}, 90_000);

test('T-GATE-16: an agent that takes what means nothing for a yes is refused, and the case is named', async () => {
  using world = probeWorld();
  const gate = { ...gateOf(world), wrongAnswers: { garbage: (yes: Outgoing) => yes } };
  await expect(refusalOf(world, { gate })).resolves.toContain('should have been held back (garbage)');
});

test('T-GATE-16: an agent that does not tell of a call that a tool of its own allowed is refused', async () => {
  using world = probeWorld();
  const { server = fail() } = world.agents['echo-http'] ?? {};
  const isMade = ({ says }: ServerReport): boolean =>
    says.type === 'hook.noted' && says.fact.type === 'tool.ended' && says.fact.tool === 'shell';
  const mute: ServerDrive<unknown> = {
    ...server,
    receive: (...given) => {
      const received = server.receive(...given);
      return { ...received, reports: received.reports.filter((report) => !isMade(report)) };
    },
  };
  const gate = { ...gateOf(world), seenCalls: () => [] };
  const why = 'a call that another client allowed was not noticed (stolen)';
  await expect(refusalOf(world, { server: mute, gate })).resolves.toContain(why);
});

test('a result of a gate probe that tried less than today is no proof', async () => {
  using world = probeWorld();
  await world.gates().demand('echo', 'server', PATH);
  const file = join(world.folder, 'gates.json');
  const [[identity, { probe: _, ...old }] = fail()] = Object.entries<Proof>(JSON.parse(readFileSync(file, 'utf8')));
  writeFileSync(file, JSON.stringify({ [identity]: old }));
  await world.gates().demand('echo', 'server', PATH);
  expect([world.probes(), world.kept()]).toMatchObject([2, [{ probe: PROBE }]]);
});

/** Why an echo over HTTP with these parts is refused. */
async function refusalOf(world: ReturnType<typeof probeWorld>, parts: Partial<Agent>): Promise<string> {
  const gates = world.gates({ ...world.agents, 'echo-http': { ...(world.agents['echo-http'] ?? fail()), ...parts } });
  return gates.demand('echo-http', 'server', PATH).then(fail, (error: Error) => error.message);
}

function gateOf(world: ReturnType<typeof probeWorld>): ProtocolGate {
  const { gate } = world.agents['echo-http'] ?? fail();
  return gate?.asks === 'protocol' ? gate : fail();
}

test('T-GATE-16: a probe that breaks off proves nothing, and is repeated', async () => {
  using world = probeWorld('crashes');
  const gates = world.gates();
  const demand = (): Promise<string> => gates.demand('echo', 'server', PATH);
  await expect(demand()).rejects.toMatchObject({ code: 'gate_unsafe' });
  await expect(demand()).rejects.toMatchObject({ code: 'gate_unsafe' });
  expect([world.probes(), world.kept()]).toEqual([2, []]);
});

test('an agent that asks only by messages is gated only as a server, not in turns or on its screen', async () => {
  using world = probeWorld();
  const gates = world.gates();
  for (const drive of ['turns', 'live'] as const) {
    expect(() => gates.demandAsking('echo', drive)).toThrow(/echo is not known to ask .*; use --live without --tui/);
    await expect(gates.demand('echo', drive, PATH)).rejects.toMatchObject({ code: 'gate_unsafe' });
  }
  expect(() => gates.demandAsking('echo', 'server')).not.toThrow();
  const { gate: _, ...mute } = world.agents.echo ?? fail();
  const other = world.gates({
    mute: { ...mute, name: 'mute' },
    hooked: { ...mute, name: 'hooked', gate: claude.gate },
  });
  const words = 'is not known to ask before every call in its messages';
  expect(() => other.demandAsking('mute', 'server')).toThrow(`mute ${words}; start it without a gate`);
  expect(() => other.demandAsking('hooked', 'server')).toThrow(`hooked ${words}; use a turn at a time or --tui`);
  expect(() => other.demandAsking('hooked', 'turns')).not.toThrow();
  await expect(other.demand('mute', 'server', PATH)).rejects.toMatchObject({ code: 'gate_unsafe' });
  await expect(other.demand('nobody', 'server', PATH)).rejects.toMatchObject({ code: 'gate_unsafe' });
  expect(world.probes()).toBe(0);
});

test('what a daemon that died during a probe left running is ended before the next probe', async () => {
  using world = probeWorld();
  const state = join(world.folder, 'probe.abcdef');
  const ref = { session: 'tabcdef' as SessionId, run: 1 };
  const terminal = pipe({ state, programs: installPrograms(state), clock: realClock() });
  const common = { env: { PATH }, cwd: '/', umask: 0o077, stdin: 'empty', split: false } as const;
  await terminal.open(ref, { argv: ['sleep', '600'], ...common }, { columns: 80, rows: 24 });
  const left = await eventually(() => runIdentities(state, ref).command);
  expect(await world.gates().demand('echo', 'server', PATH)).toBe('protocol');
  expect([isAlive(left), existsSync(state)]).toEqual([false, false]);
});

function fail(): never {
  throw new Error('there is no echo');
}
