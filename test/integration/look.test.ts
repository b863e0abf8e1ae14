import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { ageClaim } from '../../src/terminal/claim.ts';
import { lookAtRun } from '../../src/terminal/look.ts';
import { pipe } from '../../src/terminal/pipe.ts';
import { identityOf } from '../../src/terminal/processes.ts';
import { installPrograms } from '../../src/terminal/programs.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { fileCalls } from '../../src/testing/file-calls.ts';
import { makeBench, type TerminalBench } from '../../src/testing/terminal-suite.ts';

const trial = (): Promise<TerminalBench> =>
  makeBench((state) => pipe({ state, programs: installPrograms(state), clock: realClock() }));

test('a look never reports a run as lost while its launcher may be starting, nor as alive forever', async () => {
  await using world = await trial();
  const ref = world.ref();
  mkdirSync(runFolder(world.state, ref).claim, { recursive: true });
  const at = (ageMs: number): string => {
    const clock = { ...world.clock, wallMs: () => world.clock.wallMs() + ageMs };
    return lookAtRun(world.state, ref, { clock }).is;
  };
  expect([at(0), at(3_000), at(-3_600_000)]).toEqual(['alive', 'lost', 'lost']);
});

test('a look does not treat a torn or empty exit as an exit', async () => {
  await using world = await trial();
  const ref = world.ref();
  const files = runFolder(world.state, ref);
  mkdirSync(files.claim, { recursive: true });
  for (const torn of ['', 'status=', 'status=1', '\0\0\0\0\0\0\0\0\0']) {
    writeFileSync(files.exit, torn);
    expect(lookAtRun(world.state, ref, { clock: world.clock }).is).not.toBe('dead');
  }
});

test('a run of an earlier boot is lost, whichever processes have its pids now', async () => {
  await using world = await trial();
  const ref = world.ref();
  const files = runFolder(world.state, ref);
  mkdirSync(files.claim, { recursive: true });
  const start = identityOf(process.pid)?.start;
  for (const file of [files.launcher, files.command]) writeFileSync(file, `${process.pid} ${start} an-earlier-boot\n`);
  expect(lookAtRun(world.state, ref, { clock: world.clock })).toEqual({ is: 'lost', outputBytes: 0 });
});

/** A run whose command is this process, with three bytes of output. */
function liveRun(world: Awaited<ReturnType<typeof trial>>): RunRef {
  const ref = world.ref();
  const files = runFolder(world.state, ref);
  mkdirSync(files.claim, { recursive: true });
  const me = identityOf(process.pid);
  writeFileSync(files.command, `${me?.pid} ${me?.start} ${me?.boot}\n`);
  writeFileSync(files.output, 'abc');
  return ref;
}

test('quiet is counted from the last byte, and never less than nothing', async () => {
  await using world = await trial();
  const ref = liveRun(world);
  const at = (aheadMs: number) =>
    lookAtRun(world.state, ref, { clock: { ...world.clock, wallMs: () => world.clock.wallMs() + aheadMs } });
  expect(at(-60_000)).toMatchObject({ is: 'alive', pid: process.pid, quietMs: 0, outputBytes: 3, sink: 'ok' });
  const later = at(60_000);
  expect(later.is === 'alive' && later.quietMs).toBeGreaterThanOrEqual(60_000);
});

test('a look at a live run reads each file once, and none that decides nothing', async () => {
  await using world = await trial();
  const ref = liveRun(world);
  const calls = await fileCalls(() => lookAtRun(world.state, ref, { clock: world.clock }));
  // The exit before and after, because it may have ended in between. The command is looked up, and read.
  expect(calls).toEqual({ exit: 2, claim: 1, launcher: 1, command: 2, output: 1, stderr: 1 });
});

test.each(['a young', 'an old'])(
  'a command that starts and ends during a look at %s claim is not lost',
  async (age) => {
    await using world = await trial();
    const ref = world.ref();
    const { folder, claim, launcher, command } = runFolder(world.state, ref);
    mkdirSync(folder, { recursive: true });
    writeFileSync(claim, '');
    if (age === 'an old') ageClaim(world.state, ref);
    const started = spawn('sleep', ['1000'], { stdio: 'ignore' });
    using _ = { [Symbol.dispose]: () => void started.kill('SIGKILL') };
    const { start, boot } = identityOf(started.pid ?? 0) ?? {};
    const [running, gone] = [start, '1'].map((at) => `${started.pid} ${at} ${boot}`);
    // The look reads the launcher's identity before it is there: from a FIFO, which holds the look up until the
    // launcher has signed and the command has come and gone.
    execFileSync('mkfifo', [launcher]);
    const script = 'exec 3>"$1"; echo "$3" >"$1.tmp"; mv "$1.tmp" "$1"; echo "$4" >"$2"; exec 3>&-';
    const writer = spawn('sh', ['-c', script, 'sh', launcher, command, `${running}`, `${gone}`]);
    const written = new Promise((resolve) => writer.once('close', resolve));
    expect(lookAtRun(world.state, ref, { clock: world.clock }).is).toBe('alive');
    await written;
    expect(readFileSync(launcher, 'utf8')).toBe(`${running}\n`);
    expect(lookAtRun(world.state, ref, { clock: world.clock }).is).toBe('alive');
  },
);
