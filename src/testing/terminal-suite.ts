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
import { VIEWER_CASES } from './terminal-viewers.ts';

export { type MakeTerminal, makeBench as makeTrial, type TerminalBench as Trial } from './terminal-bench.ts';

/** One property of every terminal. */
export interface TerminalCase {
  readonly name: string;
  run(trial: TerminalBench): Promise<void>;
}

/** A case that a terminal cannot pass, and why. */
export interface SkippedCase {
  readonly name: string;
  readonly reason: string;
}

/** The properties of the Terminal interface. A test file registers them with its runner, each with its own trial. */
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
  'an exit status of 0 is known': (trial) => exits(trial, 'exit 0', 0),
  'an exit status of 7 is known': (trial) => exits(trial, 'exit 7', 7),
  'a command that does not exist ends with 127 and an error text': async (trial) => {
    const ref = trial.ref();
    await trial.terminal.open(ref, trial.launch(['no-such-command']), SIZE);
    assert.equal(await statusOf(trial, ref), 127);
    assert.match(await trial.output(ref), /^outlast: no-such-command: command not found\n$/);
  },
  'a folder that cannot be entered is reported as our failure, by name': async (trial) => {
    const ref = await trial.start('exit 0', { cwd: join(trial.scratch, 'missing') });
    const snapshot = await trial.ended(ref);
    assert(snapshot.is === 'dead');
    assert.deepEqual([snapshot.exit.status, snapshot.failed], [125, 'cwd']);
  },
  'the files of a launch are there when the command starts, for the user alone': async (trial) => {
    const ref = trial.ref();
    const { files } = runFolder(trial.state, ref);
    const argv = ['sh', '-c', 'cd "$0"; cat .c/a; ls -ld .c .c/a | cut -c 1-10', files] as const;
    await trial.terminal.open(ref, trial.launch(argv, { files: [{ name: '.c/a', text: '{"a":1}\n' }] }), SIZE);
    assert.equal(await statusOf(trial, ref), 0);
    assert.equal(await trial.output(ref), '{"a":1}\ndrwx------\n-rw-------\n');
  },
  'output printed all at once before the exit is complete': async (trial) => {
    const ref = await trial.start('yes 0123456789 | head -n 20000');
    assert.equal(await statusOf(trial, ref), 0);
    assert.equal(await trial.output(ref), '0123456789\n'.repeat(20_000));
  },
  'the output of a run has the size that a snapshot reports': async (trial) => {
    const ref = await trial.start('printf abc; printf def >&2');
    const snapshot = await trial.ended(ref);
    assert(snapshot.is === 'dead');
    assert.deepEqual([snapshot.outputBytes, await trial.output(ref)], [6, 'abcdef']);
  },
  'environment, arguments, folder and mask arrive exactly': exactly,
  'opening twice runs the command once': async (trial) => {
    const ref = trial.ref();
    const launch = trial.launch(['sh', '-c', 'echo ran >>ledger']);
    await Promise.all([trial.terminal.open(ref, launch, SIZE), trial.again().open(ref, launch, SIZE)]);
    assert.equal(await statusOf(trial, ref), 0);
    await trial.again().open(ref, launch, SIZE);
    // Long enough for a second launcher to have had an effect: a whole run of another session.
    await trial.ended(await trial.start('exit 0'));
    assert.equal(readFileSync(join(trial.scratch, 'ledger'), 'utf8'), 'ran\n');
  },
  'a run that was never opened is absent': async (trial) => {
    assert.deepEqual(await trial.terminal.look(trial.ref()), { is: 'absent' });
  },
  'a run is alive with the pid of its command': async (trial) => {
    const ref = await trial.start('echo $$; exec sleep 1000');
    const pid = await trial.until('the pid was printed', async () => Number(await trial.output(ref)));
    const snapshot = await trial.terminal.look(ref);
    assert(snapshot.is === 'alive');
    assert.deepEqual([snapshot.pid, snapshot.sink], [pid, 'ok']);
  },
  'a run whose launcher and command were killed is lost': async (trial) => {
    const ref = await running(trial, 'exec sleep 1000');
    const { launcher, command } = runIdentities(trial.state, ref);
    assert(launcher && command && signal(launcher, 'SIGKILL'));
    // On a terminal the launcher's exit hangs up on the command, which may be gone already.
    signal(command, 'SIGKILL');
    assert.equal((await trial.ended(ref)).is, 'lost');
    assert.equal((await trial.again().look(ref)).is, 'lost');
  },
  'a command that was killed is dead with 137': async (trial) => {
    const ref = await running(trial, 'exec sleep 1000');
    const { command } = runIdentities(trial.state, ref);
    assert(command && signal(command, 'SIGKILL'));
    assert.equal(await statusOf(trial, ref), 137);
  },
  'an exit while no daemon runs is known later': async (trial) => {
    const ref = await trial.start('echo done; exit 5');
    await trial.until('the exit was written', () => existsSync(runFolder(trial.state, ref).exit));
    const later = trial.again();
    const snapshot = await trial.until('it was seen', async () => {
      const now = await later.look(ref);
      return now.is === 'dead' && now.drained ? now : null;
    });
    assert.deepEqual([snapshot.exit.status, await trial.output(ref)], [5, 'done\n']);
  },
  'a terminal object created later writes to a live run': async (trial) => {
    const ref = await running(trial, 'read -r line; echo "got $line"');
    await trial.again().write(ref, { kind: 'bytes', bytes: Buffer.from('it\n') });
    assert.equal(await statusOf(trial, ref), 0);
    assert.match(await trial.output(ref), /got it\n$/);
  },
  'input written right after opening arrives': async (trial) => {
    const ref = await trial.start('read -r line; echo "got $line"');
    await trial.until('the run was there', async () => (await trial.terminal.look(ref)).is === 'alive');
    await trial.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('it\n') });
    assert.equal(await statusOf(trial, ref), 0);
    assert.match(await trial.output(ref), /got it\n$/);
  },
  'keys reach the command': async (trial) => {
    const ref = await running(trial, 'read -r line; echo "got $line"');
    await trial.terminal.write(ref, { kind: 'keys', keys: ['o', 'k', 'C-j'] });
    assert.equal(await statusOf(trial, ref), 0);
    assert.match(await trial.output(ref), /got ok\n$/);
  },
  'the end of the input ends a reader': async (trial) => {
    const ref = await running(trial, 'cat; echo over');
    await trial.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('line\n') });
    await trial.until('the line came back', async () => (await trial.output(ref)).includes('line'));
    await trial.terminal.write(ref, { kind: 'eof' });
    assert.equal(await statusOf(trial, ref), 0);
    assert.match(await trial.output(ref), /over\n$/);
  },
  'a command that gets TERM can clean up': async (trial) => {
    const ref = await running(
      trial,
      'trap "echo tidy >>ledger; exit 3" TERM; echo ready; while :; do sleep 0.05; done',
    );
    await trial.until('the trap was set', async () => (await trial.output(ref)).includes('ready'));
    assert.deepEqual(await endRun(trial.state, ref, { graceMs: 5_000, clock: trial.clock }), { left: [] });
    assert.equal(await statusOf(trial, ref), 3);
    assert.equal(readFileSync(join(trial.scratch, 'ledger'), 'utf8'), 'tidy\n');
  },
  'a process that ignores TERM and left its parents is gone after the end': async (trial) => {
    const stubborn = `trap "" TERM HUP INT; echo here >>ledger; while :; do sleep 0.05; done`;
    writeFileSync(join(trial.scratch, 'stubborn'), stubborn);
    const ref = await running(trial, '(setsid sh stubborn &) & setsid sh stubborn & exec sh stubborn');
    const ledger = join(trial.scratch, 'ledger');
    await trial.until('all three run', () => existsSync(ledger) && readFileSync(ledger, 'utf8').length === 15);
    assert.deepEqual(await endRun(trial.state, ref, { graceMs: 300, clock: trial.clock }), { left: [] });
    assert.deepEqual(runProcesses(trial.state, ref), []);
    assert.equal(await statusOf(trial, ref), 137);
  },
  'a run that was ended before its command started never starts it': async (trial) => {
    const ref = trial.ref();
    await trial.terminal.open(ref, trial.launch(['sh', '-c', 'echo ran >>ledger; exec sleep 1000']), SIZE);
    await endRun(trial.state, ref, { graceMs: 0, clock: trial.clock });
    const before = existsSync(join(trial.scratch, 'ledger'));
    await trial.ended(await trial.start('exit 0'));
    assert.deepEqual(runProcesses(trial.state, ref), []);
    assert.equal(existsSync(join(trial.scratch, 'ledger')), before);
    assert.notEqual((await trial.terminal.look(ref)).is, 'alive');
  },
  'the exit is recorded among the exits': async (trial) => {
    const ref = await trial.start('exit 4');
    await trial.ended(ref);
    const note = join(exitsFolder(trial.state), runName(ref));
    await trial.until('the note was made', () => existsSync(note));
    await trial.until('it says what it was', () => readFileSync(note, 'utf8') === '4\n');
  },
  'the screen shows what was printed, also afterwards': async (trial) => {
    const ref = await trial.start('printf "one\\ntwo\\n"');
    await trial.ended(ref);
    const shown = async (): Promise<string> => (await trial.terminal.screen(ref)).rows.slice(0, 2).join('|');
    await trial.until('it was shown', async () => (await shown()) === 'one|two');
    await trial.terminal.release(ref);
    assert.equal(await shown(), 'one|two');
  },
  [TITLE_CASE]: async (trial) => {
    const ref = await trial.start("printf '\\033]0;one\\007'; printf '\\033]2;two # {x} ü\\033\\\\'; cat");
    const title = async (): Promise<string | null> => (await trial.terminal.screen(ref)).title;
    await trial.until('it was given', async () => (await title()) === 'two # {x} ü');
    await trial.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from([4]) });
    await trial.ended(ref);
    await trial.terminal.release(ref);
    assert.equal(await title(), 'two # {x} ü');
  },
  'a program that sets no title has none': async (trial) => {
    const ref = await trial.start('printf shown; cat');
    const shown = () => trial.terminal.screen(ref);
    await trial.until('it was shown', async () => (await shown()).rows[0] === 'shown');
    assert.equal((await shown()).title, null);
    await trial.terminal.write(ref, { kind: 'eof' });
    await trial.ended(ref);
  },
  'releasing twice is harmless': async (trial) => {
    const ref = await trial.start('exit 0');
    await trial.ended(ref);
    await trial.terminal.release(ref);
    await trial.terminal.release(ref);
    assert.equal((await trial.terminal.look(ref)).is, 'dead');
  },
  ...VIEWER_CASES,
};

/** Checks also what is hard to quote, and variables that a shell sets itself. */
async function exactly(trial: TerminalBench): Promise<void> {
  const tricky = `it's "a" $HOME \`b\` \\ * ~ #{pane_id} %H\n\tzwei\r\n ü 語 \u{1f600} -n`;
  const argv = ['-n', tricky, '', '--', '$0', '*'];
  const env = { PATH: PROGRAM_PATH, TRICKY: tricky, EMPTY: '', IFS: 'x', UID: '12', OPTIND: 'no', LINENO: '3' };
  const program = `require('fs').writeFileSync('seen', JSON.stringify({
    argv: process.argv.slice(1), env: process.env, cwd: process.cwd(), umask: process.umask() }))`;
  const ref = trial.ref();
  const launch = trial.launch([process.execPath, '-e', program, '--', ...argv], { env, umask: 0o027 });
  await trial.terminal.open(ref, launch, SIZE);
  assert.equal(await statusOf(trial, ref), 0, await trial.output(ref));
  const seen = JSON.parse(readFileSync(join(trial.scratch, 'seen'), 'utf8'));
  // A terminal with a screen sets TERM.
  delete seen.env.TERM;
  assert.deepEqual(seen, { argv, env: { ...env, OUTLAST_RUN: runName(ref) }, cwd: trial.scratch, umask: 0o027 });
}

async function exits(trial: TerminalBench, script: string, status: number): Promise<void> {
  assert.equal(await statusOf(trial, await trial.start(script)), status);
}

async function statusOf(trial: TerminalBench, ref: RunRef): Promise<number | string> {
  const snapshot = await trial.ended(ref);
  return snapshot.is === 'dead' ? snapshot.exit.status : snapshot.is;
}

/** Opens a run and waits until its command has started. */
async function running(trial: TerminalBench, script: string): Promise<RunRef> {
  const ref = await trial.start(script);
  await trial.until('the command started', () => runIdentities(trial.state, ref).command);
  return ref;
}
