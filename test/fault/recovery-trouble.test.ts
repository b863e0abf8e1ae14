import { test as alone, expect } from 'vitest';
import { figures, some, times } from '../campaign.ts';
import { type AgentOptions, mark, never, recoveryWorld, shiftedWorld } from './recovery-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// Usage limits and logins are not faults: no agent is restarted for them, and each session continues once.

const HOUR_MS = 3_600_000;

/** A response with a usage limit that ends after this time; it is returned this many times. */
function limit(inMs: number, howOften = 1): object {
  const reset = Math.floor((Date.now() + inMs) / 60_000) * 60;
  return {
    status: 429,
    times: howOften,
    headers: {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-representative-claim': 'five_hour',
      'anthropic-ratelimit-unified-reset': String(reset),
    },
  };
}

const DRIVES: readonly [string, AgentOptions][] = [
  ['turns', {}],
  ['live', { live: true }],
];

test.each(DRIVES)(
  'T-LIM-1: in %s, a session is limited until the limit ends, and again if the limit was extended',
  async (_, drive) => {
    await using place = await recoveryWorld();
    const steps = [mark('a'), limit(2 * HOUR_MS, 2), mark('b'), { text: 'went on' }];
    const agent = await place.agent({ ...drive, steps, manners: { flushMs: 0 } });
    const limited = await agent.untilEvent('session.limited');
    const untilMs = Number(limited.body.untilMs);
    expect(Math.abs(untilMs - Date.now() - 2 * HOUR_MS)).toBeLessThan(120_000);
    expect(await agent.view()).toMatchObject({ phase: 'limited', limitedUntilMs: untilMs });
    await agent.session.resume();
    await agent.untilEvent('session.limited', 2);
    await agent.session.resume();
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'went on' });
    expect(agent.ledger()).toEqual(['a', 'b']);
    expect((await agent.view()).resumes).toBe(0);
    expect((await agent.events()).filter(({ event }) => event === 'run.faulted')).toEqual([]);
  },
);

test('T-LIM-2: when the limit has ended by the wall clock, each session continues once, and not earlier', {
  timeout: 600_000,
}, async () => {
  await using place = await shiftedWorld();
  const count = times(3, 20);
  const steps = [mark('a'), limit(2 * HOUR_MS), mark('b'), { text: 'went on' }];
  const all = await Promise.all(Array.from({ length: count }, () => place.agent({ steps, manners: { flushMs: 0 } })));
  for (const agent of all) await agent.untilEvent('session.limited');
  place.shift(HOUR_MS);
  await place.world.restart();
  const phases = async (): Promise<string[]> => Promise.all(all.map(async (agent) => (await agent.view()).phase));
  await never(async () => (await phases()).some((phase) => phase !== 'limited'), 1_000, 'an early continuation');
  place.shift(2 * HOUR_MS + 7 * 60_000);
  await place.world.restart();
  for (const agent of all) {
    // A caller that asks before this is told that the session is limited.
    await agent.untilEvent('session.unlimited');
    expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'went on' });
    expect(agent.ledger()).toEqual(['a', 'b']);
    const types = (await agent.events()).map(({ event }) => event);
    expect(types.filter((type) => type === 'session.unlimited')).toHaveLength(1);
  }
  figures('T-LIM-2', { n: count, early: 0, twice: 0 });
});

test('T-LIM-3: a caller may choose that the turn fails at a limit, or that the session is held', async () => {
  await using place = await recoveryWorld();
  const steps = [limit(2 * HOUR_MS), { text: 'went on' }];
  const [stops, asks] = await Promise.all(
    (['stop', 'ask'] as const).map((onLimit) => place.agent({ steps, policy: { onLimit } })),
  );
  expect(await stops?.reply()).toMatchObject({ met: 'failed' });
  await asks?.untilEvent('session.held');
  expect(await asks?.view()).toMatchObject({ phase: 'held' });
  await asks?.session.resume();
  expect(await asks?.reply()).toMatchObject({ met: 'answered', reply: 'went on' });
});

test('T-LIM-4: other sessions of the account are limited before they run; other accounts are not', async () => {
  await using place = await recoveryWorld();
  const first = await place.agent({ steps: [limit(2 * HOUR_MS), { text: 'first' }] });
  await first.untilEvent('session.limited');
  const same = await place.agent({ steps: [{ text: 'same' }], home: first.home });
  const other = await place.agent({ steps: [{ text: 'other' }] });
  expect(await other.reply()).toMatchObject({ met: 'answered' });
  await same.untilEvent('session.limited');
  expect((await same.view()).run).toBe(0);
});

test('T-AUTH-1: a failed login holds the sessions of its account until one is resumed', {
  timeout: 600_000,
}, async () => {
  await using place = await recoveryWorld();
  const first = await place.agent({ steps: [mark('a'), { status: 401, times: 1 }, { text: 'logged in' }] });
  await first.untilEvent('session.held');
  expect(await first.view()).toMatchObject({ phase: 'held', hold: { kind: 'login', helps: 'resume' } });
  const count = times(3, 20);
  const allOptions = Array.from({ length: count }, () => ({ steps: [{ text: 'later' }], home: first.home }));
  const others = await Promise.all(allOptions.map((options) => place.agent(options)));
  const free = await place.agent({ steps: [{ text: 'free' }] });
  for (const other of others) await other.untilEvent('session.held');
  expect(await free.reply()).toMatchObject({ met: 'answered', reply: 'free' });
  // None of them has tried to log in: one failure is enough.
  for (const other of others) expect((await other.view()).run).toBe(0);
  await first.session.resume();
  expect(await first.reply()).toMatchObject({ met: 'answered', reply: 'logged in' });
  for (const other of others)
    expect((await other.untilEvent('prompt.answered')).body).toMatchObject({ reply: 'later' });
  figures('T-AUTH-1', { n: count, tried: 0, released: count });
});

test('T-CLK-1: a wall clock that is set causes no verdict, no deadline and no early end of a limit', {
  timeout: 600_000,
}, async () => {
  await using place = await shiftedWorld();
  const policy = { deadlineMsMax: 120_000, hang: { thinkMsMax: 20_000, toolMsMax: 20_000 } };
  const steps = [mark('a', { delayMs: 500 }), mark('b', { delayMs: 4_000 }), { text: 'done' }];
  const [agent, parked] = await Promise.all([
    place.agent({ live: true, steps, policy }),
    place.agent({ steps: [limit(2 * HOUR_MS), { text: 'went on' }] }),
  ]);
  await parked.untilEvent('session.limited');
  await agent.untilEvent('prompt.accepted');
  const DAY_MS = 24 * HOUR_MS;
  for (const shiftMs of [HOUR_MS, -HOUR_MS, -30 * DAY_MS, -Date.now(), 0]) {
    place.shift(shiftMs);
    expect((await agent.view()).phase).not.toBe('ended');
    expect((await parked.view()).phase).toBe('limited');
  }
  place.shift(30 * DAY_MS);
  expect(await agent.reply()).toMatchObject({ met: 'answered', reply: 'done' });
  expect((await agent.events()).filter(({ event }) => /faulted|interrupting/.test(event))).toEqual([]);
  // The next look accepts a clock that jumped ahead by a month.
  await place.world.restart();
  expect(await parked.reply()).toMatchObject({ met: 'answered', reply: 'went on' });
  expect(agent.ledger()).toEqual(['a', 'b']);
});

test('T-CLK-2: a hang is detected although the wall clock was set back', async () => {
  await using place = await shiftedWorld();
  const policy = { hang: { thinkMsMax: 2_000, interruptMsMax: 2_000 } };
  const steps = [mark('a'), { hang: 'stream', times: 1 }, mark('b'), { text: 'finished' }];
  const [turns, live] = await Promise.all(
    [false, true].map((isLive) => place.agent({ live: isLive, steps, policy, manners: { flushMs: 0 } })),
  );
  place.shift(-30 * 24 * HOUR_MS);
  expect(await turns?.reply()).toMatchObject({ met: 'answered', reply: 'finished' });
  expect(await live?.reply()).toMatchObject({ met: 'answered', reply: 'finished' });
});

test.each(some(['pipe', 'pty', 'tmux'] as const, 2))(
  'T-SILENCE-1: a silent command on a %s is stopped although the wall clock was set back',
  async (terminal) => {
    await using place = await shiftedWorld();
    place.shift(-30 * 24 * HOUR_MS);
    const argv = ['sh', '-c', 'echo hello; exec sleep 1000'];
    const session = await place.world.client.start({ argv, terminal, silenceMs: 500 });
    const { session: ended } = await session.wait({ timeoutMs: 45_000 });
    expect(ended).toMatchObject({ phase: 'ended', outcome: { kind: 'stopped', by: 'silence', bound: 'silence' } });
  },
);
