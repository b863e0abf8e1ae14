import { expect, test } from 'vitest';
import { realClock } from '../base/clock.ts';
import { poll } from './process-read.ts';
import { sessionConverse, sessionWait } from './session-prompt.ts';
import type { Call } from './tool.ts';

const SESSION = { id: 's1', name: null, phase: 'working', drive: 'turns', outcome: null, exit: null, prompts: [] };

/** A call whose waits end at once, and the timeouts they were given. */
function callOf(waitMsMax: number): { call: Call; times: number[] } {
  const times: number[] = [];
  const waited = async ({ timeoutMs }: { timeoutMs: number }) => {
    times.push(timeoutMs);
    return { met: 'nothing', session: SESSION, prompt: 'p1', reply: null, position: 1, cursor: 2 };
  };
  const view = { ...SESSION, argv: [], agent: 'x', lastTurn: null };
  const polled = async (input: { timeoutMs: number }) => ({
    ...(await waited(input)),
    ...{ session: view, notices: [], text: '', next: 0 },
  });
  const outlast = {
    reply: waited,
    wait: waited,
    poll: polled,
    ack: async () => {},
    prompt: async () => ({ session: SESSION, prompt: 'p1' }),
  };
  const { signal } = new AbortController();
  return { call: { clock: realClock(), signal, progress: () => {}, outlast, waitMsMax } as unknown as Call, times };
}

test('T-CLAW-9 a caller that gets no progress reports gets an answer in time: the session keeps running', async () => {
  const { call, times } = callOf(50_000);
  const long = { session: 's1', timeoutMs: 600_000, throughLimits: false };
  const replies = [
    await sessionWait.run({ ...long, for: 'ended' }, call),
    await sessionWait.run({ ...long, for: 'reply' }, call),
    await sessionConverse.run({ ...long, text: 'x' }, call),
  ];
  for (const { text } of replies) expect(text).toMatch(/keeps running\. Wait again: session_wait/);
  const polled = await poll({ action: 'poll', sessionId: 's1', timeout: 600_000 } as never, call);
  expect(polled.text).toContain('Process still running.');
  expect(times).toEqual([50_000, 50_000, 50_000, 50_000]);
});

test('a caller that gets progress reports waits as long as it likes', async () => {
  const { call, times } = callOf(Number.POSITIVE_INFINITY);
  await sessionWait.run({ session: 's1', timeoutMs: 600_000, throughLimits: false, for: 'ended' }, call);
  expect(times).toEqual([600_000]);
});
