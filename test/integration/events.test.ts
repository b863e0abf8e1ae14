import { expect, test } from 'vitest';
import type { HandlerInput } from '../../src/api/contract.ts';
import { sessionEvents as events } from '../../src/daemon/calls/session-events.ts';
import { JournalWorld } from './journal-world.ts';

type Input = Partial<HandlerInput<'session.events'>>;

async function all(world: JournalWorld, input: Input): Promise<string[]> {
  const seen: string[] = [];
  const given = { after: 0, follow: false, ...input };
  for await (const { event } of events(world, given, new AbortController().signal)) seen.push(event);
  return seen;
}

function story(world: JournalWorld) {
  const session = world.make({ drive: 'turns', name: 'one' }).queue('a').turn(1, 'a');
  world.make().open(1).close(1).end();
  return session;
}

test('only the requested types come: by name, or by prefix', async () => {
  using world = new JournalWorld();
  story(world);
  expect(await all(world, { types: ['prompt.answered', 'session.'] })).toEqual([
    'session.created',
    'prompt.answered',
    'session.created',
    'session.ended',
  ]);
  await expect(all(world, { types: ['prompt'] })).rejects.toThrow('types: there is no event "prompt"');
});

test('the last N are the last of the requested types', async () => {
  using world = new JournalWorld();
  const session = story(world);
  expect(await all(world, { last: 2 })).toEqual(['run.ended', 'session.ended']);
  expect(await all(world, { last: 2, session: 'one' })).toEqual(['prompt.answered', 'run.ended']);
  expect(await all(world, { last: 1, types: ['prompt.'] })).toEqual(['prompt.answered']);
  expect(await all(world, { last: 0 })).toEqual([]);
  expect(await all(world, { last: 9, after: world.journal.head() - 1 })).toEqual(['session.ended']);
  expect(await all(world, { last: 9, limit: 1, session: session.id })).toHaveLength(1);
});

test('the last ones are found however far back they are', async () => {
  using world = new JournalWorld();
  const session = story(world);
  const other = world.make({ drive: 'turns' });
  for (let i = 0; i < 3_000; i += 1) other.put({ type: 'agent.noticed', run: 0, kind: 'k', text: String(i) });
  expect(await all(world, { last: 1, types: ['prompt.answered'] })).toEqual(['prompt.answered']);
  expect(await all(world, { last: 2, session: session.id })).toEqual(['prompt.answered', 'run.ended']);
  expect(await all(world, { last: 2_500, types: ['agent.noticed'] })).toHaveLength(2_500);
});

test('when followed, new events come after the last ones, each once', async () => {
  using world = new JournalWorld();
  const session = story(world);
  const leaving = new AbortController();
  const input = { after: 0, follow: true, last: 1, types: ['prompt.queued', 'prompt.answered'] };
  const stream = events(world, input, leaving.signal);
  expect((await stream.next()).value?.body).toMatchObject({ prompt: 'a', reply: 'did a' });
  const next = stream.next();
  session.queue('b').turn(2, 'b');
  expect((await next).value).toMatchObject({ event: 'prompt.queued', body: { prompt: 'b' } });
  expect((await stream.next()).value).toMatchObject({ event: 'prompt.answered', body: { prompt: 'b' } });
  leaving.abort();
  expect((await stream.next()).done).toBe(true);
  world.journal.close();
});
