import assert from 'node:assert/strict';
import { endRun } from '../terminal/end.ts';
import type { RunRef } from '../terminal/terminal.ts';
import type { TerminalBench } from './terminal-bench.ts';

/** How every terminal counts the people who can type into it. */
export const VIEWER_CASES: Record<string, (bench: TerminalBench) => Promise<void>> = {
  'a person who may type is counted until they leave': async (bench) => {
    const ref = await bench.start('echo here; exec sleep 1000');
    assert.equal(await bench.terminal.viewers(ref), 0);
    if (bench.terminal.kind === 'pipe') return;
    const first = await attached(bench, ref);
    await counts(bench, ref, 1);
    const second = await attached(bench, ref);
    await counts(bench, ref, 2);
    await bench.terminal.write(first, { kind: 'bytes', bytes: DETACH[bench.terminal.kind] });
    await counts(bench, ref, 1);
    // Closing a terminal window ends its viewer.
    await endRun(bench.state, second, { graceMs: 0, clock: bench.clock });
    await counts(bench, ref, 0);
    assert.equal((await bench.terminal.look(ref)).is, 'alive');
  },
  'a person who only watches is not counted': async (bench) => {
    if (bench.terminal.kind === 'pipe') return;
    const ref = await bench.start('echo here; exec sleep 1000');
    await attached(bench, ref, true);
    assert.equal(await bench.terminal.viewers(ref), 0);
    await attached(bench, ref);
    await counts(bench, ref, 1);
  },
  'a run that does not exist, or has ended, has no viewers': async (bench) => {
    assert.equal(await bench.terminal.viewers(bench.ref()), 0);
    const ref = await bench.start('exit 0');
    await bench.ended(ref);
    await bench.terminal.release(ref);
    assert.equal(await bench.terminal.viewers(ref), 0);
  },
};

const DETACH = { pty: Uint8Array.of(0x1c), tmux: Buffer.from('\x02d') };

/** A person at their own terminal, who sees the run. */
async function attached(bench: TerminalBench, ref: RunRef, readOnly = false): Promise<RunRef> {
  const { argv } = await bench.terminal.attach(ref, readOnly);
  const person = await bench.start(`exec ${argv.map((word) => `'${word}'`).join(' ')}`);
  await bench.until('the person sees the run', async () => (await bench.terminal.screen(person)).rows.includes('here'));
  return person;
}

/** Waits for this count, as a terminal object that is created later sees it. */
async function counts(bench: TerminalBench, ref: RunRef, viewers: number): Promise<void> {
  const seen = async (): Promise<number> => bench.again().viewers(ref);
  await bench.until(`${viewers} viewers are counted`, async () => (await seen()) === viewers);
}
