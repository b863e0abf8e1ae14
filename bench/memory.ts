import { readFileSync } from 'node:fs';
import { realClock } from '../src/base/clock.ts';
import { eventually } from '../test/eventually.ts';

const clock = realClock();

/** The memory of one process, in kB. */
export interface Memory {
  readonly pss: number;
  readonly dirty: number;
}

/** The memory of a process now. */
export function memory(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kB = (name: string): number => Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1]);
  return { pss: kB('Pss'), dirty: kB('Private_Dirty') };
}

/** The memory of several processes together. */
export function total(pids: readonly number[]): Memory {
  const all = pids.map(memory);
  return { pss: sum(all.map((each) => each.pss)), dirty: sum(all.map((each) => each.dirty)) };
}

/** Waits until it has been the same for half a second: the emulator may be behind, and the collector busy. */
export async function settledMemory(pid: number): Promise<void> {
  let last = 0;
  let sinceMs = clock.steadyMs();
  await eventually(() => {
    const { dirty } = memory(pid);
    if (Math.abs(dirty - last) > 64) {
      last = dirty;
      sinceMs = clock.steadyMs();
    }
    return clock.steadyMs() - sinceMs > 500;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
