import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { endRun, interruptRun, runProcesses } from '../../src/terminal/end.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { psTable } from '../../src/terminal/process-table.ts';
import { identityOf, isAlive, marked, members, signal } from '../../src/terminal/processes.ts';
import { installPrograms, PROGRAM_PATH } from '../../src/terminal/programs.ts';
import { runFolder, runName } from '../../src/terminal/run-folder.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { makeBench, type TerminalBench } from '../../src/testing/terminal-suite.ts';
import { eventually } from '../eventually.ts';

const trial = (): Promise<TerminalBench> =>
  makeBench((state) => pipe({ state, programs: installPrograms(state), clock: realClock() }));

/** A process of no session. Disposing ends it. */
function otherProcess(): { pid: number; child: ChildProcess } & Disposable {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', env: { PATH: PROGRAM_PATH } });
  if (child.pid === undefined) throw new Error('the process has no pid');
  return { pid: child.pid, child, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** Starts a script that prints "ready" when all its processes exist. */
async function ready(world: TerminalBench, script: string, times = 1): Promise<RunRef> {
  const ref = await world.start(script);
  await eventually(async () => (await world.output(ref)).split('ready').length - 1 === times);
  return ref;
}

const end = (world: TerminalBench, ref: RunRef, graceMs: number): ReturnType<typeof endRun> =>
  endRun(world.state, ref, { graceMs, clock: world.clock });

const STUBBORN = 'trap "" TERM HUP INT; echo ready; while :; do sleep 0.05; done';

describe('T-PID-1: a reused pid', () => {
  test.each(['launcher', 'command', 'keeper', 'holder'] as const)(
    'another process with the pid of the %s is not signalled',
    async (file) => {
      await using world = await trial();
      using victim = otherProcess();
      const ref = world.ref();
      const files = runFolder(world.state, ref);
      mkdirSync(files.claim, { recursive: true });
      const identity = identityOf(victim.pid);
      writeFileSync(files[file], `${victim.pid} ${Number(identity?.start) - 1} ${identity?.boot}\n`);
      expect(await end(world, ref, 60)).toEqual({ left: [] });
      expect(await end(world, ref, 0)).toEqual({ left: [] });
      expect(interruptRun(world.state, ref)).toBe(false);
      await world.terminal.release(ref);
      expect(identity && isAlive(identity)).toBe(true);
      expect(victim.child.signalCode).toBeNull();
    },
  );

  test('a recorded process of an earlier boot is ignored', async () => {
    await using world = await trial();
    using victim = otherProcess();
    const ref = world.ref();
    const files = runFolder(world.state, ref);
    mkdirSync(files.claim, { recursive: true });
    const identity = identityOf(victim.pid);
    writeFileSync(files.command, `${victim.pid} ${identity?.start} 00000000-0000-0000-0000-000000000000\n`);
    await end(world, ref, 0);
    expect(identity && isAlive(identity)).toBe(true);
  });

  test('a run that was started inside another one is not ended with it', async () => {
    await using world = await trial();
    const inner = runName({ ...world.ref(), run: 7 });
    const ref = await ready(world, `OUTLAST_RUN=${inner} sh -c 'echo ready; exec sleep 1000' & exec sleep 1000`);
    const [spared] = await eventually(() => (marked(inner).length === 1 ? marked(inner) : null));
    expect(await end(world, ref, 0)).toEqual({ left: [] });
    const identity = identityOf(spared ?? 0);
    expect(marked(inner)).toEqual([spared]);
    expect(identity && signal(identity, 'SIGKILL')).toBe(true);
  });
});

describe('T-ORPH: processes that left their parents', () => {
  test('T-ORPH-1: a process in its own process session is ended', async () => {
    await using world = await trial();
    const ref = await ready(world, `setsid sh -c '${STUBBORN}' & wait`);
    expect(runProcesses(world.state, ref).length).toBeGreaterThan(1);
    expect(await end(world, ref, 100)).toEqual({ left: [] });
    expect(marked(runName(ref))).toEqual([]);
  });

  test('T-ORPH-2: a process that forked twice and outlived the command is ended', async () => {
    await using world = await trial();
    const ref = await ready(world, `(setsid sh -c '${STUBBORN}' </dev/null >>"$0.out" 2>&1 &) & echo ready`);
    expect(await world.ended(ref)).toMatchObject({ is: 'dead', exit: { status: 0 } });
    await eventually(() => runProcesses(world.state, ref).length > 0);
    expect(await end(world, ref, 100)).toEqual({ left: [] });
    expect(marked(runName(ref))).toEqual([]);
  });

  test('T-ORPH-3: a process that ignores TERM, HUP and INT is killed, and the exit is known', async () => {
    await using world = await trial();
    const ref = await ready(world, STUBBORN);
    const beganMs = world.clock.steadyMs();
    expect(await end(world, ref, 300)).toEqual({ left: [] });
    expect(world.clock.steadyMs() - beganMs).toBeGreaterThanOrEqual(300);
    expect(await world.ended(ref)).toMatchObject({ is: 'dead', exit: { status: 137 }, signal: 'KILL' });
  });

  test('T-ORPH-4: an exit is reported although a grandchild holds the output open', async () => {
    await using world = await trial();
    const ref = await ready(world, `sh -c '${STUBBORN}' & until [ -e go ]; do sleep 0.02; done; exit 3`);
    writeFileSync(`${world.scratch}/go`, '');
    expect(await world.ended(ref)).toMatchObject({ is: 'dead', exit: { status: 3 }, drained: true });
    expect(runProcesses(world.state, ref).length).toBeGreaterThan(0);
    expect(await end(world, ref, 0)).toEqual({ left: [] });
  });

  test('a process with an empty environment is found by its parents', async () => {
    await using world = await trial();
    const ref = await ready(world, `env -i /bin/sh -c '${STUBBORN}' & wait`);
    expect(await end(world, ref, 0)).toEqual({ left: [] });
    const found = members(runName(ref), []);
    expect(found).toEqual([]);
    expect(readFileSync(runFolder(world.state, ref).exit, 'utf8')).toBe('status=137\n');
  });

  test('a process with an empty environment in its own process session is ended if its parent was alive', async () => {
    await using world = await trial();
    const ref = await ready(world, `env -i /usr/bin/setsid /bin/sh -c 'echo $$; ${STUBBORN}' & wait`);
    const identity = identityOf(Number.parseInt(await world.output(ref), 10));
    expect(identity && isAlive(identity)).toBe(true);
    expect(await end(world, ref, 100)).toEqual({ left: [] });
    const survived = identity && signal(identity, 'SIGKILL');
    expect(survived).toBe(false);
  });

  test('a stopped process is ended, too', async () => {
    await using world = await trial();
    const ref = await ready(world, 'echo ready; kill -STOP $$; sleep 1000');
    expect(await end(world, ref, 5_000)).toEqual({ left: [] });
    expect(await world.ended(ref)).toMatchObject({ is: 'dead', exit: { status: 143 } });
  });

  test('processes that keep forking are ended', async () => {
    await using world = await trial();
    const ref = await ready(
      world,
      'for i in 1 2 3 4; do (trap "" TERM; while :; do (sleep 0.01); done) & done; echo ready; wait',
    );
    expect(await end(world, ref, 50)).toEqual({ left: [] });
    expect(marked(runName(ref))).toEqual([]);
  });

  test('the keeper and the command are ended although the launcher was killed', async () => {
    await using world = await trial();
    const ref = await ready(world, 'echo ready; exec sleep 1000');
    const { launcher, keeper } = runIdentities(world.state, ref);
    expect(launcher && signal(launcher, 'SIGKILL')).toBe(true);
    expect(await end(world, ref, 0)).toEqual({ left: [] });
    expect(keeper && isAlive(keeper)).toBe(false);
    expect((await world.ended(ref)).is).toBe('lost');
  });
});

describe('an interrupt', () => {
  test('reaches the command and its children, and not the launcher', async () => {
    await using world = await trial();
    const ref = await ready(
      world,
      'trap "echo outer; exit 4" INT; sh -c "trap \'echo inner; exit\' INT; echo ready; while :; do sleep 0.02; done"',
    );
    expect(interruptRun(world.state, ref)).toBe(true);
    expect(await world.ended(ref)).toMatchObject({ is: 'dead', exit: { status: 4 } });
    expect(await world.output(ref)).toBe('ready\ninner\nouter\n');
  });
});

describe('without /proc', () => {
  test('the processes of a run are found by ps as well', async () => {
    await using world = await trial();
    const ref = await ready(world, `env -i /bin/sh -c 'echo ready; exec sleep 1000' & exec sleep 1000`);
    const { command } = runIdentities(world.state, ref);
    const byPs = members(runName(ref), [], psTable()).map((each) => each.pid);
    const byProc = members(runName(ref), []).map((each) => each.pid);
    expect(byPs.sort()).toEqual(byProc.sort());
    expect(byPs).toContain(command?.pid);
    const identity = identityOf(command?.pid ?? 0, psTable());
    expect(identity && isAlive(identity, psTable())).toBe(true);
    expect(identity && signal({ ...identity, start: 'other' }, 'SIGKILL', psTable())).toBe(false);
    expect(identity && signal(identity, 'SIGKILL', psTable())).toBe(true);
  });
});
