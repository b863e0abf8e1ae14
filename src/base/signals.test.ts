import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { anySignal } from './signals.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Aborts a source that nobody else holds. */
function abortedSource(make: (...signals: readonly AbortSignal[]) => AbortSignal): AbortSignal {
  const source = new AbortController();
  const any = make(new AbortController().signal, source.signal);
  source.abort(new Error('over'));
  return any;
}

test('a source that aborted and is gone was noticed', async () => {
  const all = Array.from({ length: 20 }, () => abortedSource(anySignal));
  for (let i = 0; i < 5; i += 1) {
    // References are kept until the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(all.map(({ aborted, reason }) => [aborted, (reason as Error | undefined)?.message])).toEqual(
    all.map(() => [true, 'over']),
  );
});
