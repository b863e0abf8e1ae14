import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { watchFrozen } from './frozen.ts';

/** Watches a daemon that is stopped whenever `isStopped` says so; the call keeps waiting until `untilMs`. */
async function watched(isStopped: (nowMs: number) => boolean, untilMs: number) {
  let nowMs = 0;
  const over = new AbortController();
  const said: string[] = [];
  const clock: Clock = {
    wallMs: () => nowMs,
    steadyMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      if (nowMs > 100_000) over.abort();
    },
  };
  const say = (kind: string) => (text: string) =>
    void said.push(`${nowMs} ${kind}: ${text.replace(/;.*?(?=;|$)/, '')}`);
  const stopped = (): number | null => (isStopped(nowMs) ? 42 : null);
  await watchFrozen({ clock, stopped, untilMs, tell: say('told'), giveUp: say('ended') }, over.signal);
  return said;
}

const TEXT = 'the daemon (pid 42) does not answer: its process is stopped';

test('T-START-3: a daemon that runs is never reported as stopped, however long it takes to answer', async () => {
  expect(await watched(() => false, 0)).toEqual([]);
  // Stopped for a moment, as by a debugger or a shell.
  expect(await watched((nowMs) => nowMs === 5_000, 0)).toEqual([]);
});

test('T-START-3: a command ends after five seconds with a stopped daemon, a wait reports it and goes on', async () => {
  expect(await watched(() => true, 0)).toEqual([`5250 ended: ${TEXT}`]);
  expect(await watched(() => true, Number.POSITIVE_INFINITY)).toEqual([`5250 told: ${TEXT}; still waiting`]);
  const bounded = await watched(() => true, 20_000);
  expect(bounded).toEqual([`5250 told: ${TEXT}; still waiting`, `21000 ended: ${TEXT}`]);
});
