import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { watchFrozen } from './frozen.ts';

/** Watches a daemon that is stopped whenever `isStopped` says so; the call keeps waiting until `untilMs`. */
async function watched(isStopped: (nowMs: number) => boolean, untilMs: number) {
  let nowMs = 0;
  const aborting = new AbortController();
  const messages: string[] = [];
  const clock: Clock = {
    wallMs: () => nowMs,
    steadyMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
      if (nowMs > 100_000) aborting.abort();
    },
  };
  const record = (kind: string) => (text: string) =>
    void messages.push(`${nowMs} ${kind}: ${text.replace(/;.*?(?=;|$)/, '')}`);
  const stopped = (): number | null => (isStopped(nowMs) ? 42 : null);
  await watchFrozen({ clock, stopped, untilMs, tell: record('warned'), giveUp: record('ended') }, aborting.signal);
  return messages;
}

const TEXT = 'the daemon (pid 42) does not answer: its process is stopped';

test('T-START-3: a daemon that runs is never reported as stopped, however long it takes to answer', async () => {
  expect(await watched(() => false, 0)).toEqual([]);
  // Stopped for a moment, as by a debugger or a shell.
  expect(await watched((nowMs) => nowMs === 5_000, 0)).toEqual([]);
});

test('T-START-3: with a stopped daemon a command ends after five seconds, and a wait warns and continues', async () => {
  expect(await watched(() => true, 0)).toEqual([`5250 ended: ${TEXT}`]);
  expect(await watched(() => true, Number.POSITIVE_INFINITY)).toEqual([`5250 warned: ${TEXT}; still waiting`]);
  const bounded = await watched(() => true, 20_000);
  expect(bounded).toEqual([`5250 warned: ${TEXT}; still waiting`, `21000 ended: ${TEXT}`]);
});
