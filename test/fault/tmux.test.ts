import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import type { TerminalSnapshot } from '../../src/core/snapshot.ts';
import { endRun } from '../../src/terminal/end.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { isAlive } from '../../src/terminal/processes.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';
import { endedIn, launchOf, SIZE, type TmuxTestWorld, tmuxWorld } from '../tmux-world.ts';

const sinkPid = (world: TmuxTestWorld, ref: RunRef) =>
  eventually(() => Number(readFileSync(join(world.files(ref).folder, 'sink'), 'utf8')));

const sinkIs = (world: TmuxTestWorld, ref: RunRef, sink: string) =>
  eventually(async () => {
    const snapshot = await world.terminal.look(ref);
    return snapshot.is === 'alive' && snapshot.sink === sink;
  });

const isGone = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

async function killServer(world: TmuxTestWorld, ref: RunRef): Promise<void> {
  const { pid } = world.serverOf(ref);
  process.kill(pid, 'SIGKILL');
  await eventually(() => isGone(pid));
}

const snapshots = (world: TmuxTestWorld, refs: readonly RunRef[]): Promise<TerminalSnapshot[]> =>
  Promise.all(refs.map((ref) => world.again().look(ref)));

test('a killed tmux server takes its few sessions with it, and no others', { timeout: 30_000 }, async () => {
  await using world = tmuxWorld({ sessionsMax: 3 });
  const refs = await Promise.all(Array.from({ length: 7 }, () => world.start('cat; exit 9')));
  const victim = refs[0] as RunRef;
  const number = world.serverOf(victim).number;
  const lost = refs.filter((ref) => world.serverOf(ref).number === number);
  const kept = refs.filter((ref) => !lost.includes(ref));
  expect([lost.length, kept.length, new Set(refs.map((ref) => world.serverOf(ref).number)).size]).toEqual([3, 4, 3]);
  await killServer(world, victim);
  await eventually(async () => (await snapshots(world, lost)).every((snapshot) => snapshot.is === 'dead'));
  for (const snapshot of await snapshots(world, lost)) {
    expect(snapshot).toMatchObject({ exit: { status: 9 }, drained: false, terminalGone: true });
  }
  for (const snapshot of await snapshots(world, kept)) expect(snapshot).toMatchObject({ is: 'alive', sink: 'ok' });
  const next = await world.start('cat');
  expect(world.serverOf(next).number).not.toBe(number);
  for (const ref of lost) await world.terminal.release(ref);
});

test('a command that survives the loss of its terminal is alive with a cut sink, and can be ended', async () => {
  await using world = tmuxWorld();
  const ref = await world.start(`trap '' HUP; while :; do sleep 0.05; done`);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  await killServer(world, ref);
  await sinkIs(world, ref, 'cut');
  await expect(world.terminal.write(ref, { kind: 'eof' })).rejects.toMatchObject({ code: 'input_closed' });
  await expect(world.terminal.attach(ref)).rejects.toMatchObject({ code: 'not_supported' });
  await world.terminal.repairOutput(ref);
  expect(await endRun(world.state, ref, { graceMs: 0, clock: realClock() })).toEqual({ left: [] });
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'dead', exit: { status: 137 }, drained: false });
  await world.terminal.release(ref);
});

test('a new server never reuses the number of a dead one, so an old pane id names no other pane', async () => {
  await using world = tmuxWorld();
  const old = await world.start(`trap '' HUP; while :; do sleep 0.05; done`);
  const { number } = world.serverOf(old);
  await killServer(world, old);
  const stranger = await world.start('cat');
  expect(world.serverOf(stranger).number).toBe(number + 1);
  const idOf = (ref: RunRef) => readFileSync(world.files(ref).tmux, 'utf8').split(' ')[2];
  expect(idOf(stranger)).toBe(idOf(old));
  await expect(world.terminal.write(old, { kind: 'bytes', bytes: Buffer.from('x') })).rejects.toMatchObject({
    code: 'input_closed',
  });
  await world.terminal.release(old);
  expect(await world.terminal.look(stranger)).toMatchObject({ is: 'alive', sink: 'ok' });
});

const talker = async (world: TmuxTestWorld): Promise<{ ref: RunRef; say(line: string): Promise<void> }> => {
  const ref = await world.start('stty -echo; while read -r line; do echo "<$line>"; done');
  const say = async (line: string): Promise<void> => {
    await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from(`${line}\r`) });
    await eventually(async () => (await world.terminal.screen(ref)).rows.some((row) => row.includes(`<${line}>`)));
  };
  return { ref, say };
};

test('a killed sink is replaced at once, and the output is reported as incomplete', async () => {
  await using world = tmuxWorld();
  const { ref, say } = await talker(world);
  await say('before');
  const first = await sinkPid(world, ref);
  process.kill(first, 'SIGKILL');
  await sinkIs(world, ref, 'broken');
  await say('between');
  await eventually(() => world.output(ref).includes('<between>'));
  expect(await sinkPid(world, ref)).not.toBe(first);
  await world.terminal.repairOutput(ref);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  await say('after');
  await eventually(() => world.output(ref).includes('<after>'));
});

test('a sink that dies with its parent is detected and replaced; later output arrives', async () => {
  await using world = tmuxWorld();
  const { ref, say } = await talker(world);
  await say('before');
  const first = await sinkPid(world, ref);
  const parent = Number(readFileSync(`/proc/${first}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
  process.kill(parent, 'SIGKILL');
  process.kill(first, 'SIGKILL');
  await sinkIs(world, ref, 'broken');
  await say('unheard');
  await sinkIs(world, ref, 'broken');
  await world.terminal.repairOutput(ref);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  await world.terminal.repairOutput(ref);
  await say('after');
  await eventually(() => world.output(ref).includes('<after>'));
  expect(world.output(ref)).toContain('<before>');
  expect(world.output(ref)).not.toContain('unheard');
  expect(await sinkPid(world, ref)).not.toBe(first);
});

test('the output of a run whose sink died before its end does not count as complete', async () => {
  await using world = tmuxWorld();
  const ref = await world.start('read -r go; echo last words');
  process.kill(await sinkPid(world, ref), 'SIGKILL');
  await sinkIs(world, ref, 'broken');
  await world.terminal.write(ref, { kind: 'keys', keys: ['Enter'] });
  await eventually(async () => (await world.terminal.look(ref)).is === 'dead');
  await eventually(() => world.tmux(ref, 'list-panes', '-a', '-F', '#{pane_dead}') === '1\n');
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'dead', exit: { status: 0 }, drained: false });
});

test('a hanging server does not make its runs lost or cut, and new runs go elsewhere', {
  timeout: 30_000,
}, async () => {
  await using world = tmuxWorld();
  const ref = await world.start('exec cat');
  const { pid, number } = world.serverOf(ref);
  process.kill(pid, 'SIGSTOP');
  try {
    expect(await world.again().look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
    const other = await world.start('echo fine');
    expect(readFileSync(world.files(other).tmux, 'utf8')).not.toMatch(new RegExp(`^${number} `));
    await expect(world.terminal.write(ref, { kind: 'eof' })).rejects.toMatchObject({ code: 'terminal_failed' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await eventually(async () => {
    await world.terminal.write(ref, { kind: 'eof' });
    return true;
  });
  await eventually(async () => (await world.terminal.look(ref)).is === 'dead');
});

test('the launcher, not tmux, prevents a second start: a second open on another server runs nothing', async () => {
  await using world = tmuxWorld();
  const ref = await world.start(`trap '' HUP; echo once; while :; do sleep 0.05; done`);
  await eventually(() => world.output(ref).includes('once'));
  await killServer(world, ref);
  await world.again().open(ref, launchOf('echo twice'), SIZE);
  const { command } = runIdentities(world.state, ref);
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', pid: command?.pid, sink: 'cut' });
  expect(world.output(ref)).not.toContain('twice');
});

test('two hundred looks at the same moment query each server once', { timeout: 60_000 }, async () => {
  await using world = tmuxWorld({ sessionsMax: 8 });
  const refs = await Promise.all(Array.from({ length: 24 }, () => world.start('exec cat')));
  const bin = join(world.state, 'bin');
  const log = join(world.state, 'asked');
  const real = execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim();
  mkdirSync(bin);
  writeFileSync(join(bin, 'tmux'), `#!/bin/sh\necho asked >>'${log}'\nexec '${real}' "$@"\n`, { mode: 0o755 });
  const clock = { ...realClock(), steadyMs: () => 5_000 };
  const later = world.again({ PATH: `${bin}:${process.env.PATH}` }, clock);
  const look = async (at: number) => later.look(refs[at % 24] as RunRef);
  const seen = await Promise.all(Array.from({ length: 100 }, (_, at) => look(at)));
  for (let at = 0; at < 100; at += 1) seen.push(await look(at));
  expect(seen.every((snapshot) => snapshot.is === 'alive' && snapshot.sink === 'ok')).toBe(true);
  expect(readFileSync(log, 'utf8')).toBe('asked\n'.repeat(3));
});

/** More than tmux reads at once from a terminal, and less than a terminal holds that nobody reads. */
const UNREAD_BYTES = 10_000;

test('what a command printed before it ended is not lost when tmux gets to read it only later', async () => {
  await using world = tmuxWorld();
  const go = join(world.state, 'go');
  const script = `until [ -e '${go}' ]; do sleep 0.02; done; head -c ${UNREAD_BYTES} /dev/zero | tr "\\0" x`;
  const refs = await Promise.all(Array.from({ length: 10 }, () => world.start(script)));
  const { pid } = world.serverOf(refs[0] as RunRef);
  process.kill(pid, 'SIGSTOP');
  try {
    writeFileSync(go, '');
    await eventually(() => refs.every((ref) => existsSync(world.files(ref).exit)), {
      what: 'the end of every command',
    });
    expect(await world.terminal.look(refs[0] as RunRef)).toMatchObject({ is: 'dead', drained: false });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const ends = await Promise.all(refs.map((ref) => endedIn(world, ref)));
  expect(ends.map(({ outputBytes }) => outputBytes)).toEqual(refs.map(() => UNREAD_BYTES));
}, 180_000);

test('a process that a command leaves on its terminal does not keep the launcher', async () => {
  await using world = tmuxWorld();
  const ref = await world.start('sleep 1000 & echo $!; exit 3');
  expect(await endedIn(world, ref)).toMatchObject({ exit: { status: 3 } });
  const { launcher } = runIdentities(world.state, ref);
  await eventually(() => launcher && !isAlive(launcher), { what: 'the end of the launcher' });
  expect(isGone(Number.parseInt(world.output(ref), 10))).toBe(true);
});
