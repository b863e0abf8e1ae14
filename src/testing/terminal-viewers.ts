import assert from 'node:assert/strict';
import { endRun } from '../terminal/end.ts';
import type { RunRef } from '../terminal/terminal.ts';
import type { TerminalBench } from './terminal-bench.ts';

/** What every terminal knows about the people who can type into it. */
export const VIEWER_CASES: Record<string, (trial: TerminalBench) => Promise<void>> = {
  'a person who may type is counted until they leave': async (trial) => {
    const ref = await trial.start('echo here; exec sleep 1000');
    assert.equal(await trial.terminal.viewers(ref), 0);
    if (trial.terminal.kind === 'pipe') return;
    const first = await attached(trial, ref);
    await counts(trial, ref, 1);
    const second = await attached(trial, ref);
    await counts(trial, ref, 2);
    await trial.terminal.write(first, { kind: 'bytes', bytes: DETACH[trial.terminal.kind] });
    await counts(trial, ref, 1);
    // Closing a terminal window ends its viewer.
    await endRun(trial.state, second, { graceMs: 0, clock: trial.clock });
    await counts(trial, ref, 0);
    assert.equal((await trial.terminal.look(ref)).is, 'alive');
  },
  'a person who only watches is not counted': async (trial) => {
    if (trial.terminal.kind === 'pipe') return;
    const ref = await trial.start('echo here; exec sleep 1000');
    await attached(trial, ref, true);
    assert.equal(await trial.terminal.viewers(ref), 0);
    await attached(trial, ref);
    await counts(trial, ref, 1);
  },
  'nobody can type into a run that does not exist': async (trial) => {
    assert.equal(await trial.terminal.viewers(trial.ref()), 0);
    const ref = await trial.start('exit 0');
    await trial.ended(ref);
    await trial.terminal.release(ref);
    assert.equal(await trial.terminal.viewers(ref), 0);
  },
};

const DETACH = { pty: Uint8Array.of(0x1c), tmux: Buffer.from('\x02d') };

/** A person at their own terminal, who sees the run. */
async function attached(trial: TerminalBench, ref: RunRef, readOnly = false): Promise<RunRef> {
  const { argv } = await trial.terminal.attach(ref, readOnly);
  const person = await trial.start(`exec ${argv.map((word) => `'${word}'`).join(' ')}`);
  await trial.until('they see it', async () => (await trial.terminal.screen(person)).rows.includes('here'));
  return person;
}

/** A terminal object created later counts the same. */
async function counts(trial: TerminalBench, ref: RunRef, viewers: number): Promise<void> {
  const seen = async (): Promise<number> => trial.again().viewers(ref);
  await trial.until(`${viewers} are counted`, async () => (await seen()) === viewers);
}
