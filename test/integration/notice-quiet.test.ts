import { expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import { person } from '../../src/core/actor.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { PromptId, SessionId, Spec } from '../../src/core/session.ts';
import type { NoticeConfig } from '../../src/daemon/config/schema.ts';
import { asked } from '../../src/testing/sessions.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';
import { times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { listen, notice, noticeWorld } from './notice-world.ts';

const AGENT: Spec = { ...COMMAND_SPEC, name: 'fix', agent: 'claude', drive: 'turns', argv: [], keepOpen: true };
/** In a campaign more than one delivery has otherwise. */
const COUNT = times(8, 60);
const answered: EventBody = { type: 'prompt.answered', prompt: 'a' as PromptId, reply: 'Done.' };
const queued: EventBody = { type: 'prompt.queued', prompt: 'a' as PromptId, text: 'Fix it' };
const attached: EventBody = { type: 'control.taken', by: person(null), how: 'attach' };

/** A world with a clock on the wall, in which quiet hours are from 22:00 to 07:00. */
function nightWorld(time = '23:00') {
  const now = { wallMs: Date.parse(`2026-03-10T${time}:00Z`) };
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'UTC', except: ['approval.asked' as const] };
  return { world: noticeWorld({ quietHours, wallMs: () => now.wallMs }), now };
}

/** Puts a session of an agent into the journal, with these events. */
function put(world: ReturnType<typeof noticeWorld>, spec: Partial<Spec>, ...events: EventBody[]): SessionId {
  const session = newId(0) as SessionId;
  const created: EventBody = { type: 'session.created', spec: { ...AGENT, ...spec } };
  world.journal.append({ session, afterSeq: 0, events: [created, ...events], cause: null, atMs: 0, steadyMs: 0 });
  return session;
}

const quiet = (url: string, more: Partial<NoticeConfig> = {}): NoticeConfig =>
  notice('hook', { kind: 'webhook', url }, { quiet: true, ...more });

test('in quiet hours messages wait, also over a restart, and come as one at their end', async () => {
  const { world, now } = nightWorld();
  await using _ = world;
  await using server = await listen();
  const before = world.start(quiet(server.url));
  for (let i = 0; i < COUNT; i += 1) world.end({ spec: { name: `n${i}` } });
  await eventually(() => before.delivered(world.journal.head()));
  await before.stop();
  world.start(quiet(server.url));
  world.end({ spec: { name: 'late' } });
  await eventually(() => world.journal.fact('notice-aside:hook')?.endsWith(`-${world.journal.head()}`));
  expect(server.received).toEqual([]);
  now.wallMs = Date.parse('2026-03-11T07:00:00Z');
  await eventually(() => server.received.length > 0);
  expect(server.received.map(({ notices }) => notices.length)).toEqual([COUNT + 1]);
  await eventually(() => world.journal.fact('notice-aside:hook') === '');
  world.end({ spec: { name: 'day' } });
  await eventually(() => server.names().includes('day'));
  expect(server.names()).toHaveLength(COUNT + 2);
});

test('a question is asked in quiet hours too, once, and a notice without quiet hours is sent', async () => {
  const { world, now } = nightWorld();
  await using _ = world;
  await using server = await listen();
  await using log = await listen();
  const notices = world.start(
    quiet(server.url, { on: ['ended', 'approval.asked'] }),
    notice('log', { kind: 'webhook', url: log.url }),
  );
  world.end({ spec: { name: 'waits' } });
  put(world, {}, asked('k7mpq2xw'));
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received.map(({ notices: [item] }) => item?.event)).toEqual(['approval.asked']);
  expect(log.names()).toEqual(['waits']);
  now.wallMs = Date.parse('2026-03-11T08:00:00Z');
  await eventually(() => server.names().includes('waits'));
  expect(server.received).toHaveLength(2);
});

test('what happens within the pause after a message is told in one more', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(notice('hook', { kind: 'webhook', url: server.url }, { gapMs: 1_700 }));
  world.end({ spec: { name: 'first' } });
  await eventually(() => server.received.length === 1);
  for (const name of ['a', 'b']) world.end({ spec: { name } });
  await eventually(() => world.waits.some((ms) => ms > 100 && ms < 1_700 && ms !== 1_000));
  world.end({ spec: { name: 'c' } });
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.received.map(({ notices: items }) => items.map(({ name }) => name).join())).toEqual(['first', 'a,b,c']);
});

test('announced is what was left alone: not what is read, watched, stopped, or the reply of a one-shot', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const notices = world.start(notice('hook', { kind: 'webhook', url: server.url }, { on: ['announced'] }));
  const read = put(world, { name: 'read' });
  notices.read(read, Number.MAX_SAFE_INTEGER);
  world.journal.append({ session: read, afterSeq: 1, events: [queued, answered], cause: null, atMs: 0, steadyMs: 0 });
  put(world, { name: 'watched' }, queued, attached, answered, {
    type: 'session.ended',
    outcome: { kind: 'failed', error: 'x' },
  });
  put(world, { name: 'front', background: false }, queued, answered);
  put(world, { name: 'hushed', notify: 'never' }, queued, answered);
  put(world, { name: 'one-shot', keepOpen: false }, queued, answered);
  world.end({ spec: { name: 'stopped' }, outcome: { kind: 'stopped', by: person('ann') } });
  world.end({ spec: { name: 'ended' } });
  put(world, { name: 'asks' }, attached, { type: 'control.returned', by: person(null) }, asked('q'));
  put(world, { name: 'answers' }, queued, answered);
  await eventually(() => notices.delivered(world.journal.head()));
  expect(server.names()).toEqual(['ended', 'asks', 'answers']);
});

test('a person who is attached is told by a notice that names events', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(notice('hook', { kind: 'webhook', url: server.url }, { on: ['announced', 'prompt.answered'] }));
  put(world, { name: 'watched' }, queued, attached, answered);
  await eventually(() => server.names().includes('watched'));
});
