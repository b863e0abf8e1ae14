import { expect, test } from 'vitest';
import type { CallOutput, HandlerInput } from '../../src/api/contract.ts';
import { person } from '../../src/core/actor.ts';
import type { PromptId } from '../../src/core/session.ts';
import { wait } from '../../src/daemon/waits/waits.ts';
import { asked, decided } from '../../src/testing/sessions.ts';
import { type JournalSession, JournalWorld } from './journal-world.ts';

type Waited = CallOutput<'session.wait'>;

function startWait(
  world: JournalWorld,
  session: JournalSession,
  what: string,
  more: Partial<HandlerInput<'session.wait'>> = {},
) {
  const seen: { result: Waited | null } = { result: null };
  const done = wait(
    world,
    { session: session.id, for: what, throughLimits: false, ...more },
    new AbortController().signal,
  ).then((result) => {
    seen.result = result;
    return result;
  });
  done.catch(() => {});
  return { done, seen };
}

const once = (
  world: JournalWorld,
  session: JournalSession,
  what: string,
  more: Partial<HandlerInput<'session.wait'>> = {},
) => startWait(world, session, what, { timeoutMs: 0, ...more }).done;

/** Everything that is ready to run has run. */
const settle = (): Promise<unknown> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('an agent is idle when no prompt is left, and never while an earlier one is open', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' });
  expect((await once(world, session, 'idle')).met).toBe('idle');
  session.queue('a').queue('b');
  const waiting = startWait(world, session, 'idle');
  const steps = [
    () => session.open(1, 'a'),
    () => session.accept('a'),
    () => session.answer('a'),
    () => session.close(1),
    () => session.open(2, 'b'),
    () => session.accept('b'),
    () => session.answer('b'),
  ];
  for (const step of steps) {
    step();
    await settle();
    expect((await once(world, session, 'idle')).met).toBe('nothing');
    expect(waiting.seen.result).toBeNull();
  }
  session.close(2);
  const { met, position, session: view } = await waiting.done;
  expect([met, position, view.phase]).toEqual(['idle', world.journal.head(), 'idle']);
});

test("a person's turn is not idle, and neither is a prompt that is only queued", async () => {
  using world = new JournalWorld();
  const live = world.make({ drive: 'live' }).open(1).put({ type: 'run.ready', run: 1 });
  live.put({ type: 'turn.started', run: 1, text: 'by hand', turnId: null });
  expect((await once(world, live, 'idle')).met).toBe('nothing');
  live.put({ type: 'turn.ended', run: 1, reply: '' });
  expect((await once(world, live, 'idle')).met).toBe('idle');
  expect((await once(world, live.queue('a'), 'idle')).met).toBe('nothing');
});

test('a session that does not stay open is not idle but ends', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns', keepOpen: false }).queue('a');
  const { done } = startWait(world, session, 'idle');
  session.turn(1, 'a');
  expect((await once(world, session, 'idle')).met).toBe('nothing');
  session.end();
  expect((await done).met).toBe('exit');
});

test('a command is never idle, and the error says what to wait for', async () => {
  using world = new JournalWorld();
  const session = world.make({ name: 'build' });
  await expect(once(world, session, 'text:x,idle')).rejects.toThrow(
    'build runs a command, which is never idle; wait for',
  );
});

test.each(['exit', 'idle', 'approval', 'text:never', 'idle-output:1h', 'event:run.faulted'])(
  'a hold that only a person can end ends a wait for %s',
  async (what) => {
    using world = new JournalWorld();
    const held = world.make({ drive: 'live' }).open(1);
    const waiting = startWait(world, held, what);
    held.put({ type: 'session.held', run: 1, why: { kind: 'login', text: 'log in' } });
    expect((await waiting.done).met).toBe('held');
    const unsure = world.make({ drive: 'live' }).open(1).put({ type: 'run.ready', run: 1 }).queue('a').queue('b');
    unsure.put({ type: 'prompt.sending', prompt: 'a' as PromptId, turn: 1, run: 1 });
    const hoping = startWait(world, unsure, what);
    unsure.put({ type: 'prompt.unsure', prompt: 'a' as PromptId, waitedMs: 1 });
    expect((await hoping.done).met).toBe('unsure');
  },
);

test('a prompt that is unsure while the agent works on another does not end a wait', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'live' }).open(1).put({ type: 'run.ready', run: 1 }).queue('a').queue('b');
  session.put({ type: 'prompt.sending', prompt: 'a' as PromptId, turn: 1, run: 1 }).accept('a');
  session.put({ type: 'prompt.sending', prompt: 'b' as PromptId, turn: 1, run: 1 });
  session.put({ type: 'prompt.unsure', prompt: 'b' as PromptId, waitedMs: 1 });
  expect((await once(world, session, 'idle')).met).toBe('nothing');
  expect((await once(world, session.answer('a'), 'idle')).met).toBe('unsure');
});

test('an unsure prompt does not end a wait while another one before it will be sent', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'live' }).open(1).put({ type: 'run.ready', run: 1 }).queue('a').queue('b');
  session.put({ type: 'prompt.unsure', prompt: 'b' as PromptId, waitedMs: 1 });
  expect((await once(world, session, 'exit')).met).toBe('nothing');
});

test.each(['idle', 'held', 'approval', 'text:never', 'idle-output:1h', 'event:run.faulted'])(
  'the end of the session ends a wait for %s',
  async (what) => {
    using world = new JournalWorld();
    const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a');
    const { done } = startWait(world, session, what);
    session.put({ type: 'session.ended', outcome: { kind: 'stopped', by: person('ann') } });
    expect((await done).met).toBe('exit');
  },
);

test('a pending approval is found, and a decided one is not', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a').accept('a');
  const { done } = startWait(world, session, 'approval');
  session.put(asked('q'));
  expect((await done).met).toBe('approval');
  session.put(decided('q', true));
  expect((await once(world, session, 'approval')).met).toBe('nothing');
});

test('an event counts from now on, or from a position; each wait continues where the last one ended', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').turn(1, 'a').queue('b');
  const { done } = startWait(world, session, 'event:prompt.answered');
  world.make({ drive: 'turns' }).queue('x').turn(1, 'x');
  await settle();
  session.turn(2, 'b');
  expect((await done).event?.body).toEqual({ prompt: 'b', reply: 'did b' });
  const first = await once(world, session, 'event:prompt.answered', { after: 0 });
  expect(first.event).toMatchObject({ event: 'prompt.answered', body: { prompt: 'a' }, position: first.position });
  const second = await once(world, session, 'event:prompt.answered', { after: first.position });
  expect(second.event?.body).toMatchObject({ prompt: 'b' });
  const none = await once(world, session, 'event:prompt.', { after: second.position });
  expect([none.met, none.position]).toEqual(['nothing', world.journal.find(session.id)?.position]);
});

test('an unknown event type is refused instead of waited for', async () => {
  using world = new JournalWorld();
  const session = world.make();
  await expect(once(world, session, 'event:stop')).rejects.toThrow('there is no event "stop"');
  await expect(once(world, session, 'event:')).rejects.toThrow('there is no event ""');
});

test('the first of several things ends the wait', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a').print(1, 'hello\n');
  expect((await once(world, session, 'idle,text:hel+o,exit', { since: 0 })).match).toBe('hello');
  const { done } = startWait(world, session, 'text:bye,event:prompt.accepted,idle');
  session.accept('a');
  expect((await done).met).toBe('event');
});

test('text that was printed before the end is found before the end is reported', async () => {
  using world = new JournalWorld();
  const session = world.make().open(1).print(1, 'ready').close(1).end();
  expect((await once(world, session, 'exit,text:ready', { since: 0 })).met).toBe('text');
});

test('a text that the next run of an agent prints is found, though that run has its own file', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a').print(1, 'a long first output\n');
  const { done } = startWait(world, session, 'text:needle');
  session.accept('a').answer('a').close(1).queue('b').open(2, 'b').print(2, 'needle\n');
  const { met, cursor } = await done;
  expect([met, cursor]).toEqual(['text', 6]);
});

test('a wait that is aborted, or times out, leaves nothing behind', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a');
  const leaving = new AbortController();
  const left = wait(world, { session: session.id, for: 'idle,text:x', throughLimits: false }, leaving.signal);
  await settle();
  leaving.abort();
  expect((await left).met).toBe('nothing');
  expect((await startWait(world, session, 'idle', { timeoutMs: 30 }).done).met).toBe('nothing');
  world.journal.close();
});

test('a usage limit ends a wait and says so, unless the caller waits through it', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a');
  session.writer.append([{ type: 'session.limited', run: 0, untilMs: 1, text: '' }], null);
  expect((await startWait(world, session, 'idle').done).met).toBe('limited');
  const { done, seen } = startWait(world, session, 'idle,held', { throughLimits: true });
  await settle();
  expect(seen.result).toBe(null);
  session.writer.append([{ type: 'session.unlimited', run: 0 }], null);
  session.turn(1, 'a');
  expect((await done).met).toBe('idle');
});
