import { expect, test } from 'vitest';
import { person } from '../../src/core/actor.ts';
import type { PromptId } from '../../src/core/session.ts';
import { reply } from '../../src/daemon/waits/replies.ts';
import { type JournalSession, JournalWorld } from './journal-world.ts';

const partsOf = ({ journal, clock, config }: JournalWorld) => ({ journal, clock, config });

const ask = (world: JournalWorld, session: JournalSession, prompt?: string, timeoutMs?: number) => {
  const input = {
    session: session.id,
    throughLimits: false,
    ...(prompt && { prompt }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
  return reply(world, input, new AbortController().signal);
};

test('two concurrent waits each get the reply to their own prompt', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').queue('b');
  const both = Promise.all([ask(world, session, 'b'), ask(world, session, 'a')]);
  session.turn(1, 'a').turn(2, 'b').queue('c').turn(3, 'c');
  const [b, a] = await both;
  expect([a.prompt, a.met, a.reply]).toEqual(['a', 'answered', 'did a']);
  expect([b.prompt, b.met, b.reply]).toEqual(['b', 'answered', 'did b']);
});

test('a wait for one session is not woken by events of others', async () => {
  using world = new JournalWorld();
  const [mine, other] = [world.make({ drive: 'turns' }).queue('a'), world.make({ drive: 'turns' }).queue('b')];
  let looks = 0;
  const sessions = {
    find: (word: string) => {
      looks += 1;
      return world.sessions.find(word);
    },
  };
  const input = { session: mine.id, throughLimits: false, prompt: 'a' };
  const waiting = reply({ ...partsOf(world), sessions }, input, new AbortController().signal);
  await Promise.resolve();
  const before = looks;
  for (let run = 1; run < 20; run += 1) {
    other.turn(run, 'b').queue('b');
    await new Promise((done) => setImmediate(done));
  }
  expect(looks).toBe(before);
  mine.turn(1, 'a');
  expect((await waiting).reply).toBe('did a');
});

test('a reply of long ago is still there, with its own position', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').turn(1, 'a');
  for (let run = 2; run < 120; run += 1) session.queue(`p${run}`).turn(run, `p${run}`);
  const a = await ask(world, session, 'a');
  expect([a.met, a.reply]).toEqual(['answered', 'did a']);
  expect(world.journal.read((a.position - 1) as never, 1)[0]?.event.body).toMatchObject({ prompt: 'a' });
  expect((await ask(world, session, 'p110')).reply).toBe('did p110');
});

test('without an id it is the newest open prompt, else the newest ended one', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').turn(1, 'a');
  expect((await ask(world, session)).prompt).toBe('a');
  session.queue('b').queue('c');
  const waiting = ask(world, session);
  session.turn(2, 'b').turn(3, 'c');
  expect(await waiting).toMatchObject({ prompt: 'c', reply: 'did c' });
});

test.each([
  [{ type: 'prompt.failed', error: 'no credit' }, 'failed', 'no credit'],
  [{ type: 'prompt.interrupted', by: person('ann') }, 'interrupted', null],
  [{ type: 'prompt.dropped', by: person('ann') }, 'dropped', null],
  [{ type: 'prompt.unsure', waitedMs: 1 }, 'unsure', null],
] as const)('%j ends the wait as %s', async (body, met, words) => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'live' }).open(1).put({ type: 'run.ready', run: 1 }).queue('a');
  const waiting = ask(world, session, 'a');
  session.put({ ...body, prompt: 'a' as PromptId });
  expect(await waiting).toMatchObject({ met, reply: words, prompt: 'a' });
});

test('a dialog, and the end of the session, end the wait for a prompt that is open', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'live' }).open(1).queue('a');
  const first = ask(world, session, 'a');
  session.put({ type: 'session.held', run: 1, why: { kind: 'trust', text: 'trust it?' } });
  expect((await first).met).toBe('held');
  session.put({ type: 'session.released', run: 1 });
  const second = ask(world, session, 'a');
  session.put({ type: 'session.ended', outcome: { kind: 'stopped', by: person('ann') } });
  expect(await second).toMatchObject({ met: 'ended', reply: null });
});

test('an answered prompt of an ended session has its reply, one without any has none', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a').turn(1, 'a').end();
  expect(await ask(world, session)).toMatchObject({ met: 'answered', reply: 'did a' });
  const never = world.make({ drive: 'turns' }).end();
  expect(await ask(world, never)).toMatchObject({ prompt: null, met: 'ended', reply: null });
});

test('after a timeout the prompt stays open', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns' }).queue('a');
  expect(await ask(world, session, 'a', 20)).toMatchObject({ met: 'nothing', reply: null, prompt: 'a' });
  world.journal.close();
});

test('a prompt that was never given is an error that names it', async () => {
  using world = new JournalWorld();
  const session = world.make({ drive: 'turns', name: 'fix' });
  await expect(ask(world, session)).rejects.toMatchObject({ code: 'prompt_unknown' });
  await expect(ask(world, session.queue('a'), 'zzz')).rejects.toThrow('fix was never given a prompt with the id "zzz"');
  await expect(ask(world, world.make({ name: 'build' }))).rejects.toThrow(
    'build runs a command; only an agent replies',
  );
});
