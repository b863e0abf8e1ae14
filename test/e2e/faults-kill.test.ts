import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as alone, expect } from 'vitest';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';
import { isRunning, liveCli, partOf } from './live.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

type Kind = 'pipe' | 'pty' | 'tmux';

const OPTION: Record<Kind, string[]> = { pipe: [], pty: ['--pty'], tmux: ['--tmux'] };
const KINDS: Kind[] = ['pipe', 'pty', 'tmux'];

/** Starts a command and waits until it prints `up`. */
async function start(world: World, kind: Kind, line: string, before = ':'): Promise<string> {
  const ran = await world.cli(['exec', '-b', ...OPTION[kind], '-c', `${before}; echo up; ${line}`]);
  const id = ran.stdout.trim();
  const { met } = await world.client.session(id).wait({ for: 'text:up', since: 0, timeoutMs: 10_000 });
  expect(met).toBe('text');
  return id;
}

/** One untouched session on each terminal, and the proof that it stayed so. */
async function bystanders(world: World, ...except: Kind[]): Promise<() => Promise<void>> {
  const ids = await Promise.all(
    KINDS.filter((kind) => !except.includes(kind)).map((kind) => start(world, kind, 'read x; echo "heard $x"; exit 3')),
  );
  return async () => {
    for (const id of ids) {
      expect((await world.client.session(id).show()).session).toMatchObject({ phase: 'working', incomplete: false });
      expect((await world.cli(['process', 'write', id, 'you\n'])).status).toBe(0);
      const { session } = await world.client.session(id).wait({ timeoutMs: 10_000 });
      expect(session).toMatchObject({ exit: { status: 3 }, incomplete: false });
      expect((await world.cli(['output', id])).stdout).toMatch(/heard you/);
    }
  };
}

function serverOf(world: World, id: string): number {
  const file = readFileSync(join(world.state, 'sessions', id, 'runs/1/tmux'), 'utf8');
  const socket = join(world.state, 'tmux', file.split(' ')[0] ?? '');
  return Number(execFileSync('tmux', ['-S', socket, 'display-message', '-p', '#{pid}'], { encoding: 'utf8' }));
}

const ended = async (world: World, id: string) => (await world.client.session(id).wait({ timeoutMs: 25_000 })).session;

test.each(some(KINDS, 2))(
  'T-CRASH-3: a killed command on a %s ends with 137; no other process is touched',
  async (kind) => {
    await using world = await makeWorld();
    const others = await bystanders(world);
    const id = await start(world, kind, 'exec sleep 1000');
    process.kill(await partOf(world, id, 'command'), 'SIGKILL');
    expect(await ended(world, id)).toMatchObject({ exit: { status: 137 }, outcome: { kind: 'done' } });
    expect((await world.cli(['wait', id])).status).toBe(8);
    await others();
  },
);

// The death of a launcher or a holder causes no signal: it is found by the look every ten seconds.
test.each(some(KINDS, 2))(
  'a killed launcher on a %s: the run is abandoned with the reason once no process is left',
  async (kind) => {
    await using world = await makeWorld();
    const others = await bystanders(world);
    const id = await start(world, kind, 'while :; do sleep 0.05; done', 'trap "" HUP');
    const command = await partOf(world, id, 'command');
    process.kill(await partOf(world, id, 'launcher'), 'SIGKILL');
    await world.client.session(id).wait({ for: 'idle-output:300ms', timeoutMs: 5_000 });
    expect((await world.client.session(id).show()).session).toMatchObject({ phase: 'working', pid: command });
    process.kill(command, 'SIGKILL');
    const session = await ended(world, id);
    expect(session).toMatchObject({ exit: null, outcome: { kind: 'abandoned' } });
    expect(session.outcome?.why).toMatch(/lost/);
    const waited = await world.cli(['wait', id]);
    expect([waited.status, waited.stdout]).toEqual([8, expect.stringMatching(/lost|given up|abandoned/)]);
    await others();
  },
);

test('a foreground exec whose run is lost ends with 125 and says why', async () => {
  await using world = await makeWorld();
  await using live = liveCli(world, ['exec', '--name', 'front', '-c', 'echo up; exec sleep 1000']);
  await live.shows('up');
  const { id } = (await world.client.session('front').show()).session;
  process.kill(await partOf(world, id, 'launcher'), 'SIGKILL');
  process.kill(await partOf(world, id, 'command'), 'SIGKILL');
  expect(await live.status(25_000)).toBe(125);
  expect(live.stderr).toMatch(/lost|given up|abandoned/);
});

test('T-CRASH-3: a killed keeper is the end of the input, and no more', async () => {
  await using world = await makeWorld();
  const others = await bystanders(world);
  const id = await start(world, 'pipe', 'cat; echo "after the end"; exit 6');
  process.kill(await partOf(world, id, 'keeper'), 'SIGKILL');
  expect(await ended(world, id)).toMatchObject({ exit: { status: 6 }, incomplete: false });
  expect((await world.cli(['output', id])).stdout).toBe('up\nafter the end\n');
  await others();
});

test('T-CRASH-3: a killed holder hangs up; the exit is known, the output is marked incomplete', async () => {
  await using world = await makeWorld();
  const others = await bystanders(world);
  const id = await start(world, 'pty', 'exec sleep 1000');
  process.kill(await partOf(world, id, 'holder'), 'SIGKILL');
  expect(await ended(world, id)).toMatchObject({ exit: { status: 129 }, outcome: { kind: 'done' }, incomplete: true });
  expect((await world.cli(['show', id])).stdout).toMatch(/incomplete/);
  expect((await world.cli(['process', 'poll', id])).stdout).toMatch(/^\[some output may be missing\]/);
  await others();
});

test('a command that ignores the loss of its holder keeps running, and can be stopped', async () => {
  await using world = await makeWorld();
  const id = await start(world, 'pty', 'while :; do sleep 0.05; done', 'trap "" HUP');
  process.kill(await partOf(world, id, 'holder'), 'SIGKILL');
  await eventually(async () => (await world.client.session(id).show()).session.incomplete, { msMax: 20_000 });
  expect((await world.client.session(id).show()).session.phase).toBe('working');
  const typed = await world.cli(['keys', id, 'Enter']);
  expect(typed.status).toBe(4);
  expect(typed.stderr).toMatch(/holder|terminal/);
  expect((await world.cli(['attach', id, '--print'])).status).toBe(4);
  const command = await partOf(world, id, 'command');
  expect((await world.cli(['stop', id, '--grace', '200ms'])).status).toBe(0);
  expect(isRunning(command)).toBe(false);
});

test('T-CRASH-3: a killed tmux server: its command continues or ends visibly, others do not notice', async () => {
  await using world = await makeWorld();
  const others = await bystanders(world, 'tmux');
  const stays = await start(world, 'tmux', 'while :; do sleep 0.05; done', 'trap "" HUP');
  const reads = await start(world, 'tmux', 'cat; exit 9');
  const sleeps = await start(world, 'tmux', 'exec sleep 1000');
  const command = await partOf(world, stays, 'command');
  process.kill(serverOf(world, stays), 'SIGKILL');
  expect(await ended(world, reads)).toMatchObject({ outcome: { kind: 'done' }, incomplete: true });
  expect(await ended(world, sleeps)).toMatchObject({ exit: { status: 129 }, incomplete: true });
  await eventually(async () => (await world.client.session(stays).show()).session.incomplete);
  expect((await world.client.session(stays).show()).session).toMatchObject({ phase: 'working', pid: command });
  expect((await world.cli(['process', 'write', stays, 'x'])).status).toBe(4);
  expect((await world.cli(['stop', stays, '--now'])).status).toBe(0);
  expect(isRunning(command)).toBe(false);
  expect((await world.cli(['exec', '--tmux', '-c', 'echo new; exit 4'])).status).toBe(4);
  await others();
});

test('T-CRASH-3: a killed sink of tmux: later output arrives, the gap is reported', async () => {
  await using world = await makeWorld();
  const others = await bystanders(world);
  const id = await start(world, 'tmux', 'while read -r x; do echo "<$x>"; done; exit 2', 'stty -echo');
  process.kill(await partOf(world, id, 'sink'), 'SIGKILL');
  await eventually(async () => (await world.events(id)).includes('run.gapped'), { msMax: 20_000 });
  expect((await world.cli(['process', 'write', id, 'later\r'])).status).toBe(0);
  expect((await world.client.session(id).wait({ for: 'text:<later>', since: 0, timeoutMs: 10_000 })).met).toBe('text');
  await world.cli(['process', 'write', id, '--eof']);
  expect(await ended(world, id)).toMatchObject({ exit: { status: 2 }, incomplete: true });
  expect((await world.cli(['output', id])).stdout).toMatch(/up[\s\S]*<later>/);
  expect((await world.cli(['process', 'poll', id])).stdout).toMatch(/^\[some output may be missing\]/);
  await others();
});

test('parts killed while no daemon runs are found out by the next one', async () => {
  await using world = await makeWorld();
  const held = await start(world, 'pty', 'exec sleep 1000');
  const lost = await start(world, 'pipe', 'exec sleep 1000');
  const read = await start(world, 'pipe', 'cat; exit 6');
  const paned = await start(world, 'tmux', 'exec sleep 1000');
  const parts = [
    await partOf(world, held, 'holder'),
    await partOf(world, lost, 'launcher'),
    await partOf(world, lost, 'command'),
    await partOf(world, read, 'keeper'),
    serverOf(world, paned),
  ];
  await world.kill();
  for (const pid of parts) process.kill(pid, 'SIGKILL');
  await eventually(() => parts.every((pid) => !isRunning(pid)));
  await world.start();
  expect(await ended(world, held)).toMatchObject({ exit: { status: 129 }, incomplete: true });
  expect(await ended(world, lost)).toMatchObject({ exit: null, outcome: { kind: 'abandoned' } });
  expect(await ended(world, read)).toMatchObject({ exit: { status: 6 }, incomplete: false });
  expect(await ended(world, paned)).toMatchObject({ exit: { status: 129 }, incomplete: true });
});
