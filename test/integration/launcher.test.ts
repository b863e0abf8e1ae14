import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import type { Launch } from '../../src/core/launch.ts';
import { endRun, runProcesses } from '../../src/terminal/end.ts';
import { lookAtRun, type RunIdentities, runIdentities } from '../../src/terminal/look.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { planText } from '../../src/terminal/plan.ts';
import { psTable } from '../../src/terminal/process-table.ts';
import { identityOf, isAlive, marked, parseIdentity, signal } from '../../src/terminal/processes.ts';
import { installPrograms, PROGRAM_PATH } from '../../src/terminal/programs.ts';
import { exitsFolder, runFolder, runName } from '../../src/terminal/run-folder.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { makeBench, type TerminalBench } from '../../src/testing/terminal-suite.ts';
import { eventually } from '../eventually.ts';

const trial = (): Promise<TerminalBench> =>
  makeBench((state) => pipe({ state, programs: installPrograms(state), clock: realClock() }));

interface Start {
  readonly shell?: string;
  readonly launcher?: string;
  readonly env?: Record<string, string>;
  readonly kind?: 'pipe' | 'tty';
}

/** Starts a launcher by hand, as each terminal does in its own way. */
function launch(
  world: TerminalBench,
  ref: RunRef,
  script: string,
  how: Start = {},
  more: Partial<Launch> = {},
): ChildProcess {
  const files = runFolder(world.state, ref);
  mkdirSync(files.folder, { recursive: true });
  mkdirSync(exitsFolder(world.state), { recursive: true });
  // A launcher that was started before may be reading it.
  if (!existsSync(files.plan))
    writeFileSync(files.plan, planText(world.launch(['sh', '-c', script], more), { name: runName(ref) }));
  const launcher = how.launcher ?? installPrograms(world.state).launcher;
  const env = how.env ?? { PATH: PROGRAM_PATH, OUTLAST_RUN: runName(ref) };
  const words = [launcher, how.kind ?? 'pipe', files.folder, exitsFolder(world.state), runName(ref)];
  return spawn(how.shell ?? 'sh', words, {
    argv0: 'sh',
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    env,
  });
}

const exitOf = (world: TerminalBench, ref: RunRef): string => readFileSync(runFolder(world.state, ref).exit, 'utf8');

/** The identities, once the command has signed. */
const signed = (world: TerminalBench, ref: RunRef): Promise<RunIdentities> =>
  eventually(() => (runIdentities(world.state, ref).command ? runIdentities(world.state, ref) : null));

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** A copy of the launcher that finds no /proc, as on macOS. */
function withoutProc(world: TerminalBench): string {
  const path = join(world.scratch, 'launcher.sh');
  writeFileSync(path, readFileSync(installPrograms(world.state).launcher, 'utf8').replaceAll('/proc/', '/no-proc/'));
  return path;
}

describe('the launcher', () => {
  test('writes its identity and that of the command before anything runs', async () => {
    await using world = await trial();
    const ref = await world.start('exec sleep 1000');
    const { command } = await signed(world, ref);
    const { launcher, keeper } = runIdentities(world.state, ref);
    for (const each of [launcher, command, keeper]) expect(each && isAlive(each)).toBe(true);
    await eventually(() => readFileSync(`/proc/${command?.pid}/cmdline`, 'utf8') === 'sleep\x001000\0');
  });

  test('survives HUP, INT, TERM and QUIT, and the command keeps its own signal handling', async () => {
    await using world = await trial();
    const ref = await world.start('trap "exit 9" USR1; echo ready; while :; do sleep 0.02; done');
    await eventually(async () => (await world.output(ref)).includes('ready'));
    const { launcher, command } = runIdentities(world.state, ref);
    if (!launcher || !command) throw new Error('no identities');
    for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const) signal(launcher, name);
    expect(readFileSync(`/proc/${command.pid}/status`, 'utf8')).toMatch(/SigIgn:\s0+\n/);
    signal(command, 'SIGUSR1');
    await world.ended(ref);
    expect(exitOf(world, ref)).toBe('status=9\n');
  });

  test('gives the command three open files and no more', async () => {
    await using world = await trial();
    const ref = await world.start('ls -l /proc/$$/fd; exit 0');
    await world.ended(ref);
    // The process that runs these tests may have left inheritable files open.
    const open = [...(await world.output(ref)).matchAll(/ (\d+) -> (.*)/g)].map(([, fd, link]) => [fd, link]);
    const own = open.filter(([fd, link]) => Number(fd) < 3 || linkOf(`/proc/self/fd/${fd}`) !== link);
    expect(own.map(([fd]) => fd)).toEqual(['0', '1', '2']);
  });

  test.each(['file', 'folder of an older version'])('finds its run claimed by a %s and exits', async (kind) => {
    await using world = await trial();
    const ref = world.ref();
    const { folder, claim, exit } = runFolder(world.state, ref);
    mkdirSync(kind === 'file' ? folder : claim, { recursive: true });
    if (kind === 'file') writeFileSync(claim, '');
    const child = launch(world, ref, 'echo ran >ledger');
    const errors: Buffer[] = [];
    child.stderr?.on('data', (chunk) => errors.push(chunk));
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, Buffer.concat(errors).toString()]).toEqual([0, '']);
    expect([join(world.scratch, 'ledger'), exit].map((file) => existsSync(file))).toEqual([false, false]);
  });

  test('is started many times at once and runs the command once', async () => {
    await using world = await trial();
    const ref = world.ref();
    const children = Array.from({ length: 12 }, () => launch(world, ref, 'echo ran >>ledger'));
    await Promise.all(children.map((child) => new Promise((resolve) => child.once('close', resolve))));
    expect(readFileSync(join(world.scratch, 'ledger'), 'utf8')).toBe('ran\n');
    expect(exitOf(world, ref)).toBe('status=0\n');
  });

  test('does not start a run that was ended before it came', async () => {
    await using world = await trial();
    const ref = world.ref();
    mkdirSync(runFolder(world.state, ref).folder, { recursive: true });
    await endRun(world.state, ref, { graceMs: 0, clock: world.clock });
    const child = launch(world, ref, 'echo ran >ledger');
    await new Promise((resolve) => child.once('close', resolve));
    expect(existsSync(join(world.scratch, 'ledger'))).toBe(false);
    expect(lookAtRun(world.state, ref, { clock: world.clock }).is).toBe('lost');
  });

  test('waits for room on the disk and then writes the exit', async () => {
    await using world = await trial();
    const ref = world.ref();
    const { folder, exit: obstacle } = runFolder(world.state, ref);
    mkdirSync(folder, { recursive: true });
    // A dangling link cannot be written.
    symlinkSync('nowhere/exit', obstacle);
    launch(world, ref, 'exit 6');
    // It sleeps only after a failed write.
    await eventually(() => marked(runName(ref)).some((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n'));
    expect(lookAtRun(world.state, ref, { clock: world.clock }).is).toBe('alive');
    // The launcher's helpers do not belong to the run: ending them would lose the exit.
    expect(runProcesses(world.state, ref)).toEqual([]);
    rmSync(obstacle);
    await world.ended(ref);
    expect(exitOf(world, ref)).toBe('status=6\n');
  });

  test('does not wait for a run folder that was removed', async () => {
    await using world = await trial();
    const ref = await world.start('exec sleep 1000');
    const { command, launcher } = await signed(world, ref);
    rmSync(runFolder(world.state, ref).folder, { recursive: true });
    if (!command || !launcher) throw new Error('no identities');
    signal(command, 'SIGKILL');
    await eventually(() => !isAlive(launcher));
  });

  test('continues when its file changes under it', async () => {
    await using world = await trial();
    const ref = world.ref();
    const copy = join(world.scratch, 'launcher.sh');
    copyFileSync(installPrograms(world.state).launcher, copy);
    chmodSync(copy, 0o600);
    launch(world, ref, 'until [ -e go ]; do sleep 0.02; done; exit 5', { launcher: copy });
    await eventually(() => runIdentities(world.state, ref).command);
    truncateSync(copy, 10);
    writeFileSync(join(world.scratch, 'go'), '');
    await world.ended(ref);
    expect(exitOf(world, ref)).toBe('status=5\n');
  });

  test('starts with an empty environment where it was given a foreign one', async () => {
    await using world = await trial();
    const ref = world.ref();
    launch(world, ref, 'env >seen; exec sleep 1000', { env: { PATH: PROGRAM_PATH, TMUX: 'x', SECRET: 'y' } });
    const { command } = await signed(world, ref);
    await eventually(() => readFileSync(`/proc/${command?.pid}/cmdline`, 'utf8').startsWith('sleep'));
    expect(readFileSync(join(world.scratch, 'seen'), 'utf8')).not.toMatch(/TMUX|SECRET/);
    expect(marked(runName(ref))).toContain(runIdentities(world.state, ref).launcher?.pid);
  });

  test('does not print to a terminal that the command was killed', async () => {
    await using world = await trial();
    const child = launch(world, world.ref(), 'echo to the terminal >&2; kill -9 $$', { kind: 'tty' });
    let printed = '';
    child.stderr?.on('data', (bytes) => {
      printed += bytes;
    });
    const status = await new Promise((resolve) => child.once('close', resolve));
    expect([status, printed]).toEqual([137, 'to the terminal\n']);
  });

  test('identifies processes by ps where there is no /proc', async () => {
    await using world = await trial();
    const ref = world.ref();
    launch(world, ref, 'until [ -e go ]; do sleep 0.02; done; exit 4', { launcher: withoutProc(world) });
    const files = runFolder(world.state, ref);
    await eventually(() => existsSync(files.command) && parseIdentity(readFileSync(files.command, 'utf8')));
    for (const path of [files.launcher, files.command]) {
      const [pid, start] = readFileSync(path, 'utf8').split(' ');
      expect(identityOf(Number(pid), psTable())?.start).toBe(start);
    }
    expect(readFileSync(files.launcher, 'utf8')).not.toBe(readFileSync(files.command, 'utf8'));
    writeFileSync(join(world.scratch, 'go'), '');
    await eventually(() => existsSync(files.exit));
    expect(exitOf(world, ref)).toBe('status=4\n');
  });

  test('works in bash as it does in dash', async () => {
    await using world = await trial();
    const ref = world.ref();
    launch(world, ref, 'kill -TERM $$', { shell: '/bin/bash' });
    await world.ended(ref);
    expect(exitOf(world, ref)).toBe('status=143\n');
  });

  test('reads the input from a file, or says that it cannot', async () => {
    await using world = await trial();
    writeFileSync(join(world.scratch, 'prompt'), 'from a file');
    const good = await world.start('cat', { stdin: { path: join(world.scratch, 'prompt') } });
    const bad = await world.start('cat', { stdin: { path: join(world.scratch, 'none') } });
    expect(await world.ended(good)).toMatchObject({ is: 'dead', exit: { status: 0 }, failed: null });
    expect(await world.output(good)).toBe('from a file');
    expect(await world.ended(bad)).toMatchObject({ is: 'dead', exit: { status: 125 }, failed: 'stdin' });
  });

  test('keeps stderr apart when asked', async () => {
    await using world = await trial();
    const ref = await world.start('echo out; echo err >&2', { split: true });
    await world.ended(ref);
    expect([await world.output(ref), readFileSync(runFolder(world.state, ref).stderr, 'utf8')]).toEqual([
      'out\n',
      'err\n',
    ]);
  });

  test('leaves nothing behind, not even a zombie, when the input was open to the end', async () => {
    await using world = await trial();
    const ref = await world.start('exit 0');
    await world.ended(ref);
    const { keeper, launcher } = runIdentities(world.state, ref);
    await eventually(() => launcher && !isAlive(launcher));
    expect(keeper).not.toBeNull();
    expect(keeper && identityOf(keeper.pid)?.start).not.toBe(keeper?.start);
  });
});
