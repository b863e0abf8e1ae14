import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endRun, runProcesses } from '../terminal/end.ts';
import { runIdentities } from '../terminal/look.ts';
import { signal } from '../terminal/processes.ts';
import { PROGRAM_PATH } from '../terminal/programs.ts';
import { exitsFolder, runFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import type { TerminalBench } from './terminal-bench.ts';
import { SCREEN_CASES } from './terminal-screens.ts';
import { VIEWER_CASES } from './terminal-viewers.ts';

export { type MakeTerminal, makeBench, type TerminalBench } from './terminal-bench.ts';

/** One property of every terminal. */
export interface TerminalCase {
  readonly name: string;
  run(bench: TerminalBench): Promise<void>;
}

/** A case that a terminal cannot pass, and why. */
export interface SkippedCase {
  readonly name: string;
  readonly reason: string;
}

/** The properties of the Terminal interface. A test file registers them with its runner, each with its own bench. */
export function terminalCases(skip: readonly SkippedCase[] = []): TerminalCase[] {
  for (const { name } of skip) assert(name in CASES, `no such case: ${name}`);
  return Object.entries(CASES)
    .filter(([name]) => !skip.some((skipped) => skipped.name === name))
    .map(([name, run]) => ({ name, run }));
}

const SIZE = { columns: 80, rows: 24 };

/** The case that a terminal without a title cannot pass. */
export const TITLE_CASE = 'the title that a program gives its terminal is known, also afterwards';

const CASES: Record<string, TerminalCase['run']> = {
  'an exit status of 0 is known': (bench) => exits(bench, 'exit 0', 0),
  'an exit status of 7 is known': (bench) => exits(bench, 'exit 7', 7),
  'a command that does not exist ends with 127 and an error text': async (bench) => {
    const ref = bench.ref();
    await bench.terminal.open(ref, bench.launch(['no-such-command']), SIZE);
    assert.equal(await statusOf(bench, ref), 127);
    assert.match(await bench.output(ref), /^outlast: no-such-command: command not found\n$/);
  },
  'a folder that cannot be entered is reported as our failure, by name': async (bench) => {
    const ref = await bench.start('exit 0', { cwd: join(bench.scratch, 'missing') });
    const snapshot = await bench.ended(ref);
    assert(snapshot.is === 'dead');
    assert.deepEqual([snapshot.exit.status, snapshot.failed], [125, 'cwd']);
  },
  'the files of a launch are there when the command starts, for the user alone': async (bench) => {
    const ref = bench.ref();
    const { files } = runFolder(bench.state, ref);
    const argv = ['sh', '-c', 'cd "$0"; cat .c/a; ls -ld .c .c/a | cut -c 1-10', files] as const;
    await bench.terminal.open(ref, bench.launch(argv, { files: [{ name: '.c/a', text: '{"a":1}\n' }] }), SIZE);
    assert.equal(await statusOf(bench, ref), 0);
    assert.equal(await bench.output(ref), '{"a":1}\ndrwx------\n-rw-------\n');
  },
  'output printed all at once before the exit is complete': async (bench) => {
    const ref = await bench.start('yes 0123456789 | head -n 20000');
    assert.equal(await statusOf(bench, ref), 0);
    assert.equal(await bench.output(ref), '0123456789\n'.repeat(20_000));
  },
  'the output of a run has the size that a snapshot reports': async (bench) => {
    const ref = await bench.start('printf abc; printf def >&2');
    const snapshot = await bench.ended(ref);
    assert(snapshot.is === 'dead');
    assert.deepEqual([snapshot.outputBytes, await bench.output(ref)], [6, 'abcdef']);
  },
  'environment, arguments, folder and mask arrive exactly': exactly,
  'opening twice runs the command once': async (bench) => {
    const ref = bench.ref();
    const launch = bench.launch(['sh', '-c', 'echo ran >>ledger']);
    await Promise.all([bench.terminal.open(ref, launch, SIZE), bench.again().open(ref, launch, SIZE)]);
    assert.equal(await statusOf(bench, ref), 0);
    await bench.again().open(ref, launch, SIZE);
    // Long enough for a second launcher to have had an effect: a whole run of another session.
    await bench.ended(await bench.start('exit 0'));
    assert.equal(readFileSync(join(bench.scratch, 'ledger'), 'utf8'), 'ran\n');
  },
  'a run that was never opened is absent': async (bench) => {
    assert.deepEqual(await bench.terminal.look(bench.ref()), { is: 'absent' });
  },
  'a run is alive with the pid of its command': async (bench) => {
    const ref = await bench.start('echo $$; exec sleep 1000');
    const pid = await bench.until('the pid was printed', async () => Number(await bench.output(ref)));
    const snapshot = await bench.terminal.look(ref);
    assert(snapshot.is === 'alive');
    assert.deepEqual([snapshot.pid, snapshot.sink], [pid, 'ok']);
  },
  'a run whose launcher and command were killed is lost': async (bench) => {
    const ref = await running(bench, 'exec sleep 1000');
    const { launcher, command } = runIdentities(bench.state, ref);
    assert(launcher && command && signal(launcher, 'SIGKILL'));
    // On a terminal the launcher's exit hangs up on the command, which may be gone already.
    signal(command, 'SIGKILL');
    assert.equal((await bench.ended(ref)).is, 'lost');
    assert.equal((await bench.again().look(ref)).is, 'lost');
  },
  'a command that was killed is dead with 137': async (bench) => {
    const ref = await running(bench, 'exec sleep 1000');
    const { command } = runIdentities(bench.state, ref);
    assert(command && signal(command, 'SIGKILL'));
    assert.equal(await statusOf(bench, ref), 137);
  },
  'an exit while no daemon runs is known later': async (bench) => {
    const ref = await bench.start('echo done; exit 5');
    await bench.until('the exit was written', () => existsSync(runFolder(bench.state, ref).exit));
    const later = bench.again();
    const snapshot = await bench.until('the exit was seen', async () => {
      const now = await later.look(ref);
      return now.is === 'dead' && now.drained ? now : null;
    });
    assert.deepEqual([snapshot.exit.status, await bench.output(ref)], [5, 'done\n']);
  },
  'a terminal object created later writes to a live run': async (bench) => {
    const ref = await running(bench, 'read -r line; echo "got $line"');
    await bench.again().write(ref, { kind: 'bytes', bytes: Buffer.from('it\n') });
    assert.equal(await statusOf(bench, ref), 0);
    assert.match(await bench.output(ref), /got it\n$/);
  },
  'input written right after opening arrives': async (bench) => {
    const ref = await bench.start('read -r line; echo "got $line"');
    await bench.until('the run was there', async () => (await bench.terminal.look(ref)).is === 'alive');
    await bench.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('it\n') });
    assert.equal(await statusOf(bench, ref), 0);
    assert.match(await bench.output(ref), /got it\n$/);
  },
  'keys reach the command': async (bench) => {
    const ref = await running(bench, 'read -r line; echo "got $line"');
    await bench.terminal.write(ref, { kind: 'keys', keys: ['o', 'k', 'C-j'] });
    assert.equal(await statusOf(bench, ref), 0);
    assert.match(await bench.output(ref), /got ok\n$/);
  },
  'the end of the input ends a reader': async (bench) => {
    const ref = await running(bench, 'cat; echo over');
    await bench.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('line\n') });
    await bench.until('the line came back', async () => (await bench.output(ref)).includes('line'));
    await bench.terminal.write(ref, { kind: 'eof' });
    assert.equal(await statusOf(bench, ref), 0);
    assert.match(await bench.output(ref), /over\n$/);
  },
  'a command that gets TERM can clean up': async (bench) => {
    const ref = await running(
      bench,
      'trap "echo tidy >>ledger; exit 3" TERM; echo ready; while :; do sleep 0.05; done',
    );
    await bench.until('the trap was set', async () => (await bench.output(ref)).includes('ready'));
    assert.deepEqual(await endRun(bench.state, ref, { graceMs: 5_000, clock: bench.clock }), { left: [] });
    assert.equal(await statusOf(bench, ref), 3);
    assert.equal(readFileSync(join(bench.scratch, 'ledger'), 'utf8'), 'tidy\n');
  },
  'a process that ignores TERM and left its parents is gone after the end': async (bench) => {
    const stubborn = `trap "" TERM HUP INT; echo here >>ledger; while :; do sleep 0.05; done`;
    writeFileSync(join(bench.scratch, 'stubborn'), stubborn);
    const ref = await running(bench, '(setsid sh stubborn &) & setsid sh stubborn & exec sh stubborn');
    const ledger = join(bench.scratch, 'ledger');
    await bench.until('all three run', () => existsSync(ledger) && readFileSync(ledger, 'utf8').length === 15);
    assert.deepEqual(await endRun(bench.state, ref, { graceMs: 300, clock: bench.clock }), { left: [] });
    assert.deepEqual(runProcesses(bench.state, ref), []);
    assert.equal(await statusOf(bench, ref), 137);
  },
  'a run that was ended before its command started never starts it': async (bench) => {
    const ref = bench.ref();
    await bench.terminal.open(ref, bench.launch(['sh', '-c', 'echo ran >>ledger; exec sleep 1000']), SIZE);
    await endRun(bench.state, ref, { graceMs: 0, clock: bench.clock });
    const before = existsSync(join(bench.scratch, 'ledger'));
    await bench.ended(await bench.start('exit 0'));
    assert.deepEqual(runProcesses(bench.state, ref), []);
    assert.equal(existsSync(join(bench.scratch, 'ledger')), before);
    assert.notEqual((await bench.terminal.look(ref)).is, 'alive');
  },
  'the exit is recorded among the exits': async (bench) => {
    const ref = await bench.start('exit 4');
    await bench.ended(ref);
    const note = join(exitsFolder(bench.state), runName(ref));
    await bench.until('the note was made', () => existsSync(note));
    await bench.until('the note has the exit status', () => readFileSync(note, 'utf8') === '4\n');
  },
  [TITLE_CASE]: async (bench) => {
    const ref = await bench.start("printf '\\033]0;one\\007'; printf '\\033]2;two # {x} ü\\033\\\\'; cat");
    const title = async (): Promise<string | null> => (await bench.terminal.screen(ref)).title;
    await bench.until('the title was set', async () => (await title()) === 'two # {x} ü');
    await bench.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from([4]) });
    await bench.ended(ref);
    await bench.terminal.release(ref);
    assert.equal(await title(), 'two # {x} ü');
  },
  'a program that sets no title has none': async (bench) => {
    const ref = await bench.start('printf shown; cat');
    const shown = () => bench.terminal.screen(ref);
    await bench.until('the output was shown', async () => (await shown()).rows[0] === 'shown');
    assert.equal((await shown()).title, null);
    await bench.terminal.write(ref, { kind: 'eof' });
    await bench.ended(ref);
  },
  'releasing twice is harmless': async (bench) => {
    const ref = await bench.start('exit 0');
    await bench.ended(ref);
    await bench.terminal.release(ref);
    await bench.terminal.release(ref);
    assert.equal((await bench.terminal.look(ref)).is, 'dead');
  },
  ...SCREEN_CASES,
  ...VIEWER_CASES,
};

/** Checks also what is hard to quote, and variables that a shell sets itself. */
async function exactly(bench: TerminalBench): Promise<void> {
  const tricky = `it's "a" $HOME \`b\` \\ * ~ #{pane_id} %H\n\tzwei\r\n ü 語 \u{1f600} -n`;
  const argv = ['-n', tricky, '', '--', '$0', '*'];
  const env = { PATH: PROGRAM_PATH, TRICKY: tricky, EMPTY: '', IFS: 'x', UID: '12', OPTIND: 'no', LINENO: '3' };
  const program = `require('fs').writeFileSync('seen', JSON.stringify({
    argv: process.argv.slice(1), env: process.env, cwd: process.cwd(), umask: process.umask() }))`;
  const ref = bench.ref();
  const launch = bench.launch([process.execPath, '-e', program, '--', ...argv], { env, umask: 0o027 });
  await bench.terminal.open(ref, launch, SIZE);
  assert.equal(await statusOf(bench, ref), 0, await bench.output(ref));
  const seen = JSON.parse(readFileSync(join(bench.scratch, 'seen'), 'utf8'));
  // A terminal with a screen sets TERM.
  delete seen.env.TERM;
  assert.deepEqual(seen, { argv, env: { ...env, OUTLAST_RUN: runName(ref) }, cwd: bench.scratch, umask: 0o027 });
}

async function exits(bench: TerminalBench, script: string, status: number): Promise<void> {
  assert.equal(await statusOf(bench, await bench.start(script)), status);
}

async function statusOf(bench: TerminalBench, ref: RunRef): Promise<number | string> {
  const snapshot = await bench.ended(ref);
  return snapshot.is === 'dead' ? snapshot.exit.status : snapshot.is;
}

/** Opens a run and waits until its command has started. */
async function running(bench: TerminalBench, script: string): Promise<RunRef> {
  const ref = await bench.start(script);
  await bench.until('the command started', () => runIdentities(bench.state, ref).command);
  return ref;
}
