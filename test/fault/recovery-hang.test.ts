import { test as alone, expect } from 'vitest';
import type { EventView } from '../../src/api/shapes.ts';
import { figures, some, times } from '../campaign.ts';
import { type Agent, bash, mark, quantile, recoveryWorld } from './recovery-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// A hung turn is detected and resumed; a slow one is left alone.

const THINK_MS = 3_000;
/** How much longer than the policy a verdict may take. */
const SLACK_MS = 40_000;
const QUICK = { hang: { thinkMsMax: THINK_MS, toolMsMax: 60_000, interruptMsMax: 3_000 } };

const atMs = (events: readonly EventView[], name: string): number =>
  Date.parse(events.find(({ event }) => event === name)?.ts ?? '');

/** The time from the last activity to the verdict. */
async function foundAfterMs(agent: Agent, verdict: string): Promise<number> {
  const events = await agent.events();
  return atMs(events, verdict) - atMs(events, 'tool.ended');
}

test.each(some(['headers', 'stream', 'pings'], 2))(
  'T-HANG-2: in turns, an agent that hangs (%s) is ended, and finishes in the next run',
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
      const faulted = await agent.untilEvent('run.faulted');
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

test('T-HANG-2: a live agent that hangs is interrupted first; if that helps, its process stays', {
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

test('T-HANG-2: a live agent that does not react to an interrupt is ended, and continues in the next run', {
  timeout: 600_000,
}, async () => {
  await using place = await recoveryWorld();
  const steps = [mark('a'), { delayMs: 60_000, text: 'too late' }];
  const agent = await place.agent({ live: true, steps, policy: QUICK, manners: { flushMs: 0 } });
  await agent.untilEvent('tool.ended');
  const pid = await agent.pid();
  // It no longer reads keys or draws anything.
  process.kill(pid, 'SIGSTOP');
  await agent.untilEvent('turn.interrupting');
  const faulted = await agent.untilEvent('run.faulted');
  expect(faulted.body).toMatchObject({ fault: { kind: 'stalled' } });
  await agent.untilEvent('run.opened', 2);
  expect(await agent.pid()).not.toBe(pid);
  expect(agent.runs()).toEqual(['2']);
  expect(agent.ledger()).toEqual(['a']);
});

test('T-HANG-1: a live agent that never shows its input box is ended and started again', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({
    live: true,
    text: 'hello',
    manners: { startMs: 60_000 },
    policy: { startMsMax: 1_000, resumes: { windowMax: 1 } },
  });
  const { session } = await agent.session.wait({ timeoutMs: 45_000 });
  expect(session).toMatchObject({ phase: 'ended', run: 2, outcome: { kind: 'abandoned' } });
  const faulted = await agent.untilEvent('run.faulted');
  expect(faulted.body).toMatchObject({ fault: { kind: 'unready' } });
});

test('T-HANG-4: a process that has answered and does not exit is ended, and the next turn starts', async () => {
  await using place = await recoveryWorld();
  const agent = await place.agent({ text: 'hello', manners: { endMs: 300_000 } });
  expect((await agent.reply()).met).toBe('answered');
  const { prompt } = await agent.session.prompt('and again');
  expect((await agent.session.reply({ prompt, timeoutMs: 45_000 })).met).toBe('answered');
  expect((await agent.receivedPrompts()).filter((text) => text === 'hello')).toEqual(['hello']);
  expect((await agent.events()).filter(({ event }) => event === 'run.faulted')).toEqual([]);
});

test('T-HANG-4: if no hook reported the answer either, it is found in the output, and counts', async () => {
  await using place = await recoveryWorld();
  const manners = { endMs: 300_000, silent: ['Stop'] };
  const agent = await place.agent({ text: 'hello', policy: QUICK, manners });
  expect(await agent.reply(45_000)).toMatchObject({ met: 'answered', reply: 'You said: hello' });
  expect([await agent.receivedPrompts(), (await agent.view()).resumes]).toEqual([['hello'], 0]);
});

const SLOW: Readonly<Record<string, readonly object[]>> = {
  'a quiet tool': [bash('sleep 6; echo b >> ledger')],
  'a tool that uses the CPU': [
    bash('end=$(($(date +%s) + 6)); while [ $(date +%s) -lt $end ]; do :; done; echo b >> ledger'),
  ],
  'thoughts, each below the timeout': [
    mark('b', { delayMs: 1_300, think: 'hm' }),
    mark('c', { delayMs: 1_300, think: 'hm' }),
    { text: 'finished', delayMs: 1_300 },
  ],
  'a server that is overloaded': [mark('b'), { status: 529, times: 2 }, { text: 'finished' }],
};

test('T-HANG-5: slow work is not a hang: a quiet tool, one that uses the CPU, slow thoughts, an overloaded server', {
  timeout: 600_000,
}, async () => {
  const rounds = times(1, 5);
  let verdicts = 0;
  for (let round = 0; round < rounds; round += 1) {
    await using place = await recoveryWorld();
    const all = Object.values(SLOW).flatMap((steps) => [false, true].map((live) => ({ steps, live, policy: QUICK })));
    const agents = await Promise.all(all.map((options) => place.agent(options)));
    for (const agent of agents) {
      expect((await agent.reply()).met).toBe('answered');
      const types = (await agent.events()).map(({ event }) => event);
      verdicts += types.filter((type) => type === 'run.faulted' || type === 'turn.interrupting').length;
    }
  }
  expect(verdicts).toBe(0);
  figures('T-HANG-5', { n: rounds * Object.keys(SLOW).length * 2, false: verdicts });
});

test('T-HANG-6: a reply that streams for longer than the hang timeout is not a hang, in turns and live', {
  timeout: 200_000,
}, async () => {
  await using place = await recoveryWorld();
  // Longer than twice the hang timeout: movement alone doubles it.
  const text = Array.from({ length: 50 }, (_, i) => `word${i}`).join(' ');
  const policy = { hang: { thinkMsMax: 6_000, toolMsMax: 60_000, interruptMsMax: 3_000 } };
  const options = { steps: [mark('a'), { text, pace: 300 }], policy, manners: { flushMs: 0 } };
  const agents = await Promise.all([false, true].map((live) => place.agent({ ...options, live })));
  for (const agent of agents) {
    expect(await agent.reply(90_000)).toMatchObject({ met: 'answered', reply: text });
    const types = (await agent.events()).map(({ event }) => event);
    expect(types.filter((type) => type === 'run.faulted' || type === 'turn.interrupting')).toEqual([]);
  }
});
