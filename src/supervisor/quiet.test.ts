import { expect, test } from 'vitest';
import type { SessionId } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { Quiet } from './quiet.ts';

const ref = { session: 's' as SessionId, run: 1 };

type Look = readonly [steadyMs: number, quietMs: number, printed: string];

/** What is said of a run that the files call silent for so long, at these moments. */
function quietAt(...looks: readonly Look[]): number[] {
  let nowMs = 0;
  const quiet = new Quiet({ steadyMs: () => nowMs, wallMs: () => 0, sleep: () => Promise.resolve() });
  return looks.map(([steadyMs, quietMs, printed]) => {
    nowMs = steadyMs;
    const seen = quiet.seen(ref, { is: 'alive', pid: 1, quietMs, printed, outputBytes: 0, sink: 'ok' });
    return seen.is === 'alive' ? seen.quietMs : -1;
  });
}

test('the first look at a run begins to count', () => {
  expect(quietAt([1_000, 500, 'a'], [3_000, 2_500, 'a'])).toEqual([0, 2_000]);
});

test('output between two looks begins to count anew', () => {
  expect(quietAt([1_000, 0, 'a'], [3_000, 700, 'b'], [4_000, 1_700, 'b'])).toEqual([0, 700, 1_700]);
});

test('a clock that jumps ahead, or a machine that slept, makes nobody silent', () => {
  expect(quietAt([1_000, 0, 'a'], [1_500, 3_600_000, 'a'])).toEqual([0, 500]);
  expect(quietAt([1_000, 0, 'a'], [1_500, 3_600_000, 'b'])).toEqual([0, 500]);
});

test('a clock that is set back makes nobody speak', () => {
  // Files of the future have printed just now, as long as that lasts.
  expect(quietAt([1_000, 0, 'a'], [3_000, 0, 'a'], [9_000, 0, 'a'])).toEqual([0, 2_000, 8_000]);
  expect(quietAt([1_000, 0, 'a'], [3_000, 0, 'b'], [9_000, 0, 'b'])).toEqual([0, 0, 6_000]);
});

test('a run that is over is forgotten', () => {
  const quiet = new Quiet({ steadyMs: () => 0, wallMs: () => 0, sleep: () => Promise.resolve() });
  const lost: TerminalSnapshot = { is: 'lost', outputBytes: 0 };
  expect(quiet.seen(ref, lost)).toBe(lost);
});
