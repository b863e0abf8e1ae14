import { expect, test } from 'vitest';
import type { SessionView } from '../../src/api/shapes.ts';
import { anAgent, endedSession } from '../../src/testing/session-view.ts';
import type { Answers } from '../fake-daemon.ts';
import { cliWorld } from './cli-world.ts';

// How the command line handles a usage limit: which commands wait, which report it, and with which status.

const HOUR_MS = 3_600_000;

/** The first wait meets the limit, the second one the answer. */
function limitedFor(ms: number): Answers {
  const session = anAgent({ name: 'api', phase: 'limited', limitedUntilMs: Date.now() + ms });
  const ended: SessionView = endedSession(0, { ...anAgent(), phase: 'ended', outcome: { kind: 'done' } });
  const answer = { session, prompt: 'p1', position: 9 };
  return {
    'session.start': () => ({ session, warnings: [], position: 7, prompt: 'p1' }),
    'session.prompt': () => ({ session, prompt: 'p1', position: 8 }),
    'session.reply': ({ throughLimits }) =>
      throughLimits === 'true'
        ? { ...answer, met: 'answered', reply: 'yes' }
        : { ...answer, met: 'limited', reply: null },
    'session.wait': ({ throughLimits, for: what }) =>
      throughLimits === 'true' || what === 'ended'
        ? { session: ended, met: 'exit', cursor: 0, position: 10 }
        : { session, met: 'limited', cursor: 0, position: 9 },
    'session.show': () => ({ session }),
    'session.background': () => ({ session }),
  };
}

test.each([
  [['run', 'x']],
  [['converse', 'api', 'x']],
  [['run', 'x', '--wait', '2h']],
  [['converse', 'api', 'x', '--wait', '2h']],
  [['wait', 'api', '--for', 'reply', '--timeout', '2h']],
])('%j waits through a limit of an hour, says so once, and gives the reply', async (words) => {
  await using world = await cliWorld(limitedFor(HOUR_MS));
  const ran = await world.inside(words);
  expect(ran).toMatchObject({ status: 0, out: 'yes\n' });
  expect(ran.err).toMatch(/^outlast: api is limited for [\w ]+ \(until [\dT:-]+Z\); waiting\n$/);
  expect(world.daemon.inputsOf('session.reply')).toHaveLength(2);
});

test.each([
  [['run', 'x', '--wait', '30m']],
  [['converse', 'api', 'x', '--wait', '30m']],
  [['wait', 'api', '--for', 'reply', '--timeout', '30m']],
  [['wait', 'api', '--for', 'reply']],
])('%j does not wait for a longer limit: 7 at once, with the command that does', async (words) => {
  await using world = await cliWorld(limitedFor(HOUR_MS));
  const ran = await world.inside(words);
  expect(ran).toMatchObject({ status: 7, out: '' });
  expect(ran.err).toMatch(/^outlast: api is limited for [\w ]+ \(until .*\); it continues automatically\n/);
  expect(ran.err).toContain('Wait for it: outlast wait api --for reply:p1 --timeout 70m');
  expect(ran.err).toContain('Retry now: outlast resume api');
});

test('a run that exits because of a limit leaves a session whose end is announced', async () => {
  await using world = await cliWorld(limitedFor(HOUR_MS));
  await world.inside(['run', 'x', '--wait', '1s']);
  expect(world.daemon.inputsOf('session.background')).toHaveLength(1);
});

test('wait for anything returns at a limit, unless its timeout is longer', async () => {
  await using world = await cliWorld(limitedFor(HOUR_MS));
  const limited = await world.inside(['wait', 'api']);
  expect(limited).toMatchObject({ status: 7, out: expect.stringMatching(/^api: limited until [\dT:-]+Z\n$/) });
  expect(limited.err).toContain('outlast resume api');
  const waited = await world.inside(['wait', 'api', '--timeout', '64m']);
  // An hour and the five minutes within which it continues.
  expect(waited.status).toBe(7);
  expect(await world.inside(['wait', 'api', '--timeout', '66m'])).toMatchObject({ status: 0 });
});

test('a program gets the same in one object', async () => {
  await using world = await cliWorld(limitedFor(HOUR_MS));
  const { status, out } = await world.inside(['wait', 'api', '--for', 'reply', '--json']);
  expect([status, JSON.parse(out).met, JSON.parse(out).session.phase]).toEqual([7, 'limited', 'limited']);
});

test.each([['run'], ['start']])(
  '%s warns once about a variable without effect, and passes the others on',
  async (name) => {
    const env = { MONITOR_DISPATCH_WAIT: '10', MONITOR_MAX_RETRIES: '2' };
    await using world = await cliWorld(
      { ...limitedFor(1_000), 'session.show': () => ({ session: anAgent(), attach: '', eventsFile: '' }) },
      env,
    );
    const { err } = await world.inside([name, 'x', '--deadline', '0', '--budget-usd', '5']);
    expect(err.match(/warning: MONITOR/g)).toHaveLength(1);
    expect(world.daemon.inputsOf('session.start')[0]?.policy).toEqual({
      deadlineMsMax: 0,
      resumes: { max: 2 },
      budget: { usd: 5 },
    });
  },
);

test('a session that waits for a resume is helped by resume, a dialog by attach', async () => {
  const held = (helps: 'resume' | 'attach') =>
    anAgent({ name: 'api', phase: 'held', held: 'log in', hold: { kind: 'login', helps } });
  for (const helps of ['resume', 'attach'] as const) {
    const session = held(helps);
    await using world = await cliWorld({
      'session.reply': () => ({ session, prompt: 'p1', position: 9, met: 'held', reply: null }),
    });
    const { status, err } = await world.inside(['wait', 'api', '--for', 'reply']);
    expect([status, err.includes(`outlast ${helps} api`)]).toEqual([7, true]);
  }
});
