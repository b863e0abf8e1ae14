import { expect, test } from 'vitest';
import type { SessionId } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { Quiet } from './quiet.ts';

const ref = { session: 's' as SessionId, run: 1 };

type Look = readonly [steadyMs: number, quietMs: number, printed: string];

/** How long the run counts as quiet at each look. `quietMs` is the age of its files. */
function quietAt(...looks: readonly Look[]): number[] {
  let nowMs = 0;
  const quiet = new Quiet({ steadyMs: () => nowMs, wallMs: () => 0, sleep: () => Promise.resolve() });
  return looks.map(([steadyMs, quietMs, printed]) => {
    nowMs = steadyMs;
    const seen = quiet.seen(ref, { is: 'alive', pid: 1, quietMs, printed, outputBytes: 0, sink: 'ok' });
    return seen.is === 'alive' ? seen.quietMs : -1;
  });
}

test('the count starts at the first look at a run', () => {
  expect(quietAt([1_000, 500, 'a'], [3_000, 2_500, 'a'])).toEqual([0, 2_000]);
});

test('output between two looks restarts the count', () => {
  expect(quietAt([1_000, 0, 'a'], [3_000, 700, 'b'], [4_000, 1_700, 'b'])).toEqual([0, 700, 1_700]);
});

test('a clock that jumps ahead, or a machine that slept, does not make a run quiet', () => {
  expect(quietAt([1_000, 0, 'a'], [1_500, 3_600_000, 'a'])).toEqual([0, 500]);
  expect(quietAt([1_000, 0, 'a'], [1_500, 3_600_000, 'b'])).toEqual([0, 500]);
});

test('a clock that is set back does not look like output', () => {
  // A file whose time is in the future counts as written just now.
  expect(quietAt([1_000, 0, 'a'], [3_000, 0, 'a'], [9_000, 0, 'a'])).toEqual([0, 2_000, 8_000]);
  expect(quietAt([1_000, 0, 'a'], [3_000, 0, 'b'], [9_000, 0, 'b'])).toEqual([0, 0, 6_000]);
});

test('a run that has ended is forgotten', () => {
  const quiet = new Quiet({ steadyMs: () => 0, wallMs: () => 0, sleep: () => Promise.resolve() });
  const lost: TerminalSnapshot = { is: 'lost', outputBytes: 0 };
  expect(quiet.seen(ref, lost)).toBe(lost);
});
