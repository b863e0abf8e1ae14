import { test as alone, expect } from 'vitest';
import type { EventView } from '../../src/api/shapes.ts';
import { figures, some, times } from '../campaign.ts';
import { type Agent, bash, mark, quantile, recoveryWorld } from './recovery-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// A hung turn is detected and resumed; a slow one is not touched.

const THINK_MS = 3_000;
/** How much longer than the policy a verdict may take. */
const SLACK_MS = 40_000;
const QUICK = { hang: { thinkMsMax: THINK_MS, toolMsMax: 60_000, interruptMsMax: 3_000 } };

const atMs = (events: readonly EventView[], name: string): number =>
  Date.parse(events.find(({ event }) => event === name)?.ts ?? '');

/** From its last activity to the verdict. */
async function foundAfterMs(agent: Agent, verdict: string): Promise<number> {
  const events = await agent.events();
  return atMs(events, verdict) - atMs(events, 'tool.ended');
}

test.each(some(['headers', 'stream', 'pings'], 2))(
  'T-HANG-2: in turns, one that hangs at its %s is ended and finishes',
  {
    timeout: 600_000,
  },
  async (hang) => {
    const found: number[] = [];
    for (let round = 0; round < times(1, 5); round += 1) {
      await using place = await recoveryWorld();
      const steps = [mark('a'), { hang, times: 1 }, mark('b'), { text: 'finished' }];
      const agent = await place.agent({ steps, policy: QUICK, manners: { flushMs: 0 } });
      expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'finished' });
      const faulted = await agent.heard('run.faulted');
      expect(faulted.body).toMatchObject({ fault: { kind: 'stalled' } });
      found.push(await foundAfterMs(agent, 'run.faulted'));
      expect(agent.ledger()).toEqual(['a', 'b']);
      expect(await agent.view()).toMatchObject({ run: 2, resumes: 1 });
    }
    expect(Math.min(...found)).toBeGreaterThanOrEqual(THINK_MS);
    expect(Math.max(...found)).toBeLessThan(THINK_MS + SLACK_MS);
    figures('T-HANG-2', { hang, n: found.length, p50Ms: quantile(found, 0.5), maxMs: Math.max(...found) });
  },
);

test('T-HANG-2: a live one is interrupted first; where that helps, its process stays', {
  timeout: 600_000,
}, async () => {
  const found: number[] = [];
  for (let round = 0; round < times(1, 5); round += 1) {
    await using place = await recoveryWorld();
    const steps = [mark('a'), { hang: 'stream', times: 1 }, mark('b'), { text: 'finished' }];
    const agent = await place.agent({ live: true, steps, policy: QUICK, manners: { flushMs: 0 } });
    const pid = await agent.pid();
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'finished' });
    found.push(await foundAfterMs(agent, 'turn.interrupting'));
    expect(agent.ledger()).toEqual(['a', 'b']);
    expect(await agent.view()).toMatchObject({ run: 1, pid, resumes: 0 });
  }
  expect(Math.max(...found)).toBeLessThan(THINK_MS + SLACK_MS);
  figures('T-HANG-2', { hang: 'live', n: found.length, p50Ms: quantile(found, 0.5), maxMs: Math.max(...found) });
});

test('T-HANG-2: a live one that an interrupt does not reach is ended, and finishes in the next run', {
  timeout: 600_000,
}, async () => {
  await using place = await recoveryWorld();
  const steps = [mark('a'), { delayMs: 60_000, text: 'too late' }];
  const agent = await place.agent({ live: true, steps, policy: QUICK, manners: { flushMs: 0 } });
  await agent.heard('tool.ended');
  const pid = await agent.pid();
  // It reads no key any more, and draws nothing.
  process.kill(pid, 'SIGSTOP');
  await agent.heard('turn.interrupting');
  const faulted = await agent.heard('run.faulted');
  expect(faulted.body).toMatchObject({ fault: { kind: 'stalled' } });
  await agent.heard('run.opened', 2);
  expect(await agent.pid()).not.toBe(pid);
  expect(agent.runs()).toEqual(['2']);
  expect(agent.ledger()).toEqual(['a']);
});

test('T-HANG-1: a live one that never shows its input box is ended and begun again', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({
    live: true,
    text: 'hello',
    manners: { startMs: 60_000 },
    policy: { startMsMax: 1_000, resumes: { windowMax: 1 } },
  });
  const { session } = await agent.session.wait({ timeoutMs: 45_000 });
  expect(session).toMatchObject({ phase: 'ended', run: 2, outcome: { kind: 'abandoned' } });
  const faulted = await agent.heard('run.faulted');
  expect(faulted.body).toMatchObject({ fault: { kind: 'unready' } });
});

test('T-HANG-4: one that has answered and does not leave is ended, and the next turn begins', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ text: 'hello', manners: { endMs: 300_000 } });
  expect((await agent.reply()).met).toBe('answered');
  const { prompt } = await agent.session.prompt('and again');
  expect((await agent.session.reply({ prompt, timeoutMs: 45_000 })).met).toBe('answered');
  expect((await agent.told()).filter((text) => text === 'hello')).toEqual(['hello']);
  expect((await agent.events()).filter(({ event }) => event === 'run.faulted')).toEqual([]);
});

test('T-HANG-4: where nobody heard of its answer either, that is found in what it printed, and counts', async () => {
  await using place = await recoveryWorld();
  const manners = { endMs: 300_000, silent: ['Stop'] };
  const agent = await place.agent({ text: 'hello', policy: QUICK, manners });
  expect(await agent.reply(45_000)).toMatchObject({ met: 'answered', reply: 'You said: hello' });
  expect([await agent.told(), (await agent.view()).resumes]).toEqual([['hello'], 0]);
});

const SLOW: Readonly<Record<string, readonly object[]>> = {
  'a quiet tool': [bash('sleep 6; echo b >> ledger')],
  'a tool that computes': [
    bash('end=$(($(date +%s) + 6)); while [ $(date +%s) -lt $end ]; do :; done; echo b >> ledger'),
  ],
  'thoughts, each below the bound': [
    mark('b', { delayMs: 1_300, think: 'hm' }),
    mark('c', { delayMs: 1_300, think: 'hm' }),
    { text: 'finished', delayMs: 1_300 },
  ],
  'a server that is overloaded': [mark('b'), { status: 529, times: 2 }, { text: 'finished' }],
};

test('T-HANG-5: what takes long is no hang: a quiet tool, one that computes, slow thoughts, an overloaded server', {
  timeout: 600_000,
}, async () => {
  const rounds = times(1, 5);
  let verdicts = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using place = await recoveryWorld();
    const all = Object.values(SLOW).flatMap((steps) => [false, true].map((live) => ({ steps, live, policy: QUICK })));
    const agents = await Promise.all(all.map((wish) => place.agent(wish)));
    for (const agent of agents) {
      expect((await agent.reply()).met).toBe('answered');
      const types = (await agent.events()).map(({ event }) => event);
      verdicts += types.filter((type) => type === 'run.faulted' || type === 'turn.interrupting').length;
    }
  }
  expect(verdicts).toBe(0);
  figures('T-HANG-5', { n: rounds * Object.keys(SLOW).length * 2, false: verdicts });
});

test('T-HANG-6: a reply that streams for longer than a hang takes is no hang, in turns and live', {
  timeout: 200_000,
}, async () => {
  await using place = await recoveryWorld();
  // Longer than twice the hang timeout: movement alone doubles it.
  const text = Array.from({ length: 50 }, (_, i) => `word${i}`).join(' ');
  const policy = { hang: { thinkMsMax: 6_000, toolMsMax: 60_000, interruptMsMax: 3_000 } };
  const wish = { steps: [mark('a'), { text, pace: 300 }], policy, manners: { flushMs: 0 } };
  const agents = await Promise.all([false, true].map((live) => place.agent({ ...wish, live })));
  for (const agent of agents) {
    expect(await agent.reply(90_000)).toMatchObject({ met: 'answered', reply: text });
    const types = (await agent.events()).map(({ event }) => event);
    expect(types.filter((type) => type === 'run.faulted' || type === 'turn.interrupting')).toEqual([]);
  }
});
