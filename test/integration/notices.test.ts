import { expect, test } from 'vitest';
import { byPolicy } from '../../src/core/actor.ts';
import type { Outcome } from '../../src/core/session.ts';
import type { NoticeConfig } from '../../src/daemon/config/schema.ts';
import { eventually } from '../eventually.ts';
import { listen, notice, noticeWorld } from './notice-world.ts';

const hook = (url: string, rest: Partial<NoticeConfig> = {}): NoticeConfig =>
  notice('hook', { kind: 'webhook', url }, rest);
const named = (name: string) => ({ spec: { name } });
const failed: Outcome = { kind: 'done', exit: { status: 1 } };

test('each end is reported once, in order, with what a reader needs', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(hook(server.url));
  const first = world.end({ ...named('first'), outcome: failed, output: 'one\n\n\x1b[31mtwo\x1b[0m\n\n' });
  await eventually(() => server.received.length === 1);
  world.end(named('second'));
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.names()).toEqual(['first', 'second']);
  expect(server.received[0]?.notices).toEqual([
    {
      session: first,
      name: 'first',
      event: 'session.ended',
      position: 5,
      at: '1970-01-01T00:00:42.000Z',
      exit: 1,
      outcome: { kind: 'done' },
      failed: true,
      command: 'npm test',
      snippet: 'one\ntwo',
      read: `outlast output ${first}`,
      report: ['Ended after 42s: exit 1'],
      tookMs: 42_000,
    },
  ]);
  expect(notices.status()).toEqual([
    { name: 'hook', behind: 0, failed: 0, lastError: null, deliveredAtMs: expect.any(Number) },
  ]);
});

test('events at the same time are sent together, at most fifty at once', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(hook(server.url));
  const names = Array.from({ length: 70 }, (_, i) => `s${i}`);
  for (const name of names) world.end(named(name));
  await eventually(() => server.names().length >= 70);
  expect(server.received.map(({ notices }) => notices.length)).toEqual([50, 20]);
  expect(server.names()).toEqual(names);
});

test('events shortly after the first are sent with it', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(hook(server.url));
  world.end(named('first'));
  // The reader has begun to read, and waits for more events.
  await eventually(() => world.waits.includes(100));
  world.end(named('second'));
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received.map((one) => one.notices.length)).toEqual([2]);
});

test('a failed delivery is repeated unchanged, and what came in the meantime is sent right after it', async () => {
  await using world = noticeWorld();
  await using server = await listen((count) => (count < 4 ? 500 : 200));
  const notices = world.start(hook(server.url));
  world.end(named('first'));
  await eventually(() => server.received.length >= 1);
  for (const name of ['second', 'third', 'fourth']) world.end(named(name));
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received.map(({ notices }) => notices.map((item) => item.name).join())).toEqual([
    'first',
    'first',
    'first',
    'first',
    'second,third,fourth',
  ]);
  expect(new Set(server.received.slice(0, 4).map(({ headers }) => headers['x-outlast-delivery'])).size).toBe(1);
  expect(server.received[4]?.headers['x-outlast-delivery']).not.toBe(server.received[0]?.headers['x-outlast-delivery']);
  expect(world.backoffs).toEqual([1_000, 2_000, 4_000]);
  expect(notices.status()[0]).toMatchObject({ behind: 0, failed: 0 });
});

test('a server that was down gets everything in one delivery when it is back', async () => {
  await using world = noticeWorld();
  const { port, url } = await gone();
  const notices = world.start(hook(url, { triesMax: 100 }));
  world.end(named('first'));
  world.end(named('second'));
  await eventually(() => world.backoffs.length >= 2);
  expect(notices.delivered(world.journal.head())).toBe(false);
  const lastError = `cannot reach 127.0.0.1:${port}: the connection was refused (ECONNREFUSED)`;
  expect(notices.status()[0]).toMatchObject({ behind: 6, lastError });
  await using server = await listen(() => 200, port);
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received.map((one) => one.notices.length)).toEqual([2]);
});

test('after triesMax a delivery is dropped and counted, and the next one is sent', async () => {
  await using world = noticeWorld();
  await using server = await listen((count) => (count <= 3 ? 503 : 200));
  const notices = world.start(hook(server.url, { triesMax: 3 }));
  world.end(named('lost'));
  world.end(named('lost too'));
  await eventually(() => notices.delivered(world.journal.head()));
  const host = new URL(server.url).host;
  expect(notices.status()).toEqual([
    { name: 'hook', behind: 0, failed: 2, lastError: `${host} answered 503`, deliveredAtMs: null },
  ]);
  expect(world.lines.at(-1)).toContain('gave up 2');
  world.end(named('next'));
  await eventually(() => server.names().includes('next'));
  expect(world.backoffs).toEqual([1_000, 2_000]);
});

test('the wait between tries stops growing at five minutes', async () => {
  await using world = noticeWorld();
  await using server = await listen(() => 500);
  const notices = world.start(hook(server.url, { triesMax: 11 }));
  world.end();
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(world.backoffs.slice(-3)).toEqual([128_000, 256_000, 300_000]);
});

test('after a restart it continues where it was: nothing twice, nothing lost', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const before = world.start(hook(server.url));
  world.end(named('before'));
  await eventually(() => before.delivered(world.journal.head()));
  await before.stop();
  world.end(named('while away'));
  world.end(named('while away too'));
  const after = world.start(hook(server.url));
  await eventually(() => after.delivered(world.journal.head()));
  expect(server.names()).toEqual(['before', 'while away', 'while away too']);
});

test('the position is saved after each delivery, and for skipped events when it stops', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(hook(server.url));
  world.end();
  await eventually(() => notices.delivered(world.journal.head()));
  expect(world.journal.cursor('notice:hook')).toBe(5);
  world.end({ spec: { background: false } });
  await eventually(() => notices.delivered(world.journal.head()));
  expect(world.journal.cursor('notice:hook')).toBe(5);
  await notices.stop();
  expect(world.journal.cursor('notice:hook')).toBe(10);
});

test('a delivery that a stop cuts off is sent after the restart', async () => {
  await using world = noticeWorld();
  await using server = await listen((count) => (count === 1 ? null : 200));
  const before = world.start(hook(server.url, { triesMax: 1 }));
  world.end(named('cut'));
  await eventually(() => server.received.length === 1);
  await before.stop();
  const after = world.start(hook(server.url));
  await eventually(() => after.delivered(world.journal.head()));
  expect(server.names()).toEqual(['cut', 'cut']);
});

test('a new notice begins now, also on an empty journal, and so does one that was added again', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  await world.start(hook(server.url)).stop();
  world.end(named('first ever'));
  const other = notice('other', { kind: 'webhook', url: `${server.url}/other` });
  const two = world.start(hook(server.url), other);
  await eventually(() => two.delivered(world.journal.head()));
  expect(server.received.map((one) => `${one.path} ${one.notices[0]?.name}`)).toEqual(['/ first ever']);
  await two.stop();
  await world.start().stop();
  world.end(named('nobody'));
  const again = world.start(hook(server.url));
  world.end(named('again'));
  await eventually(() => again.delivered(world.journal.head()));
  expect(server.names()).toEqual(['first ever', 'again']);
});

test('a server that never answers delays no other, and is given up at its deadline', async () => {
  await using world = noticeWorld();
  await using slow = await listen(() => null);
  await using quick = await listen();
  const fast = notice('fast', { kind: 'webhook', url: quick.url });
  const notices = world.start(hook(slow.url, { triesMax: 1, timeoutMs: 1_500 }), fast);
  world.end();
  // The server has it before the sender knows.
  await eventually(() => quick.received.length === 1 && notices.status()[1]?.behind === 0);
  expect(notices.status().map(({ behind }) => behind > 0)).toEqual([true, false]);
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(notices.status()[0]?.lastError).toBe('no answer within 1500 ms');
});

test('only events that a notice is configured for are sent', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(hook(server.url));
  world.end({ spec: { name: 'foreground', background: false } });
  world.end({ spec: { name: 'never', notify: 'never' }, outcome: failed });
  world.end({ spec: { name: 'silent' }, output: '' });
  world.end({ spec: { name: 'silent-always', notify: 'always' }, output: '' });
  world.end({ spec: { name: 'silent-failure' }, output: '', outcome: failed });
  world.end({
    spec: { name: 'silent-stopped' },
    output: '',
    outcome: { kind: 'stopped', by: { is: 'program', name: 'caller' } },
  });
  world.end({ spec: { name: 'stopped' }, outcome: { kind: 'stopped', by: { is: 'program', name: 'caller' } } });
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.names()).toEqual(['silent-always', 'silent-failure', 'stopped']);
});

test('failed means failures; the name of an event means that event of any session', async () => {
  await using world = noticeWorld();
  await using failures = await listen();
  await using opened = await listen();
  const raw = notice('raw', { kind: 'webhook', url: opened.url }, { on: ['run.opened'] });
  const notices = world.start(hook(failures.url, { on: ['failed'] }), raw);
  world.end({ spec: { name: 'good' } });
  world.end({ spec: { name: 'bad' }, outcome: failed });
  world.end({ spec: { name: 'stopped' }, outcome: { kind: 'stopped', by: { is: 'program', name: 'caller' } } });
  world.end({ spec: { name: 'late' }, outcome: { kind: 'stopped', by: byPolicy('timeout') } });
  world.end({
    spec: { name: 'lost', background: false },
    outcome: { kind: 'abandoned', fault: { kind: 'lost', reboot: false } },
  });
  await eventually(() => notices.delivered(world.journal.head()));
  expect(failures.names()).toEqual(['bad', 'late']);
  expect(opened.names()).toEqual(['good', 'bad', 'stopped', 'late', 'lost']);
  expect(opened.received[0]?.notices[0]).toMatchObject({ event: 'run.opened', exit: null, outcome: null });
});

test('a journal that cannot be read for a while ends no reader', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(hook(server.url));
  const { read } = world.journal;
  let faults = 0;
  world.journal.read = () => {
    faults += 1;
    throw new Error('disk I/O error');
  };
  world.end(named('first'));
  await eventually(() => faults >= 2);
  expect(notices.status()[0]?.lastError).toBe('disk I/O error');
  world.journal.read = read;
  await eventually(() => server.names().includes('first'));
});

async function gone(): Promise<{ port: number; url: string }> {
  await using server = await listen();
  return { port: server.port, url: server.url };
}
