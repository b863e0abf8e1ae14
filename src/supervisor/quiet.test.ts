import { expect, test } from 'vitest';
import type { SessionId } from '../core/session.ts';
import type { TerminalSight } from '../core/sight.ts';
import { Quiet } from './quiet.ts';

const ref = { session: 's' as SessionId, run: 1 };

/** What is said of a run that the files call silent for so long, at these moments. */
function quietAt(looks: readonly [steadyMs: number, quietMs: number][]): number[] {
  let nowMs = 0;
  const quiet = new Quiet({ steadyMs: () => nowMs, wallMs: () => 0, sleep: () => Promise.resolve() });
  return looks.map(([steadyMs, quietMs]) => {
    nowMs = steadyMs;
    const seen = quiet.seen(ref, { is: 'alive', pid: 1, quietMs, outputBytes: 0, sink: 'ok' });
    return seen.is === 'alive' ? seen.quietMs : -1;
  });
}

test('the first look at a run begins to count', () => {
  expect(quietAt([[1_000, 500], [3_000, 2_500]])).toEqual([0, 2_000]); // biome-ignore format: a table
});

test('output between two looks begins to count anew', () => {
  expect(quietAt([[1_000, 0], [3_000, 700], [4_000, 1_700]])).toEqual([0, 700, 1_700]); // biome-ignore format: a table
});

test('a clock that jumps ahead, or a machine that slept, makes nobody silent', () => {
  expect(quietAt([[1_000, 0], [1_500, 3_600_000]])).toEqual([0, 500]); // biome-ignore format: a table
});

test('a run that is over is forgotten', () => {
  const quiet = new Quiet({ steadyMs: () => 0, wallMs: () => 0, sleep: () => Promise.resolve() });
  const lost: TerminalSight = { is: 'lost', outputBytes: 0 };
  expect(quiet.seen(ref, lost)).toBe(lost);
});
