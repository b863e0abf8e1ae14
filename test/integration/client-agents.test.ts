import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { anAgent } from '../../src/testing/session-view.ts';
import { type Answers, type FakeDaemon, fakeDaemon } from '../fake-daemon.ts';

let state: string;
let daemon: FakeDaemon | null = null;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'outlast-client-'));
});

afterEach(async () => {
  await daemon?.close();
  daemon = null;
  rmSync(state, { recursive: true, force: true });
});

async function withDaemon(answers: Answers) {
  daemon = await fakeDaemon(state, answers);
  return { daemon, client: connect({ state, start: false }) };
}

const ID = anAgent().id;
const started = { session: anAgent(), warnings: [], position: 7, prompt: 'p1' };
const answered = { session: anAgent(), prompt: 'p1', met: 'answered', reply: 'yes', position: 9 };

test('a prompt whose response is lost is repeated with the same key, so it is queued once', async () => {
  let times = 0;
  const { daemon, client } = await withDaemon({
    'session.prompt': (_input, cut) => {
      times += 1;
      if (times === 1) cut();
      return { session: anAgent(), prompt: 'p1', position: 8 };
    },
  });
  using _ = client;
  expect(await client.prompt({ session: 'api', text: 'x' })).toMatchObject({ prompt: 'p1' });
  await client.prompt({ session: 'api', text: 'x' });
  const [first, again, other] = daemon.inputsOf('session.prompt').map(({ key }) => String(key));
  expect(first).toMatch(/^[a-z0-9]{19}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test('a message to an owner is sent once too, and a converse with a key of its own is one prompt', async () => {
  let times = 0;
  const { daemon, client } = await withDaemon({
    'session.tell': (_input, cut) => {
      times += 1;
      if (times === 1) cut();
      return { owner: ID, wake: true };
    },
    'session.prompt': () => ({ session: anAgent(), prompt: 'p5', position: 8 }),
    'session.reply': () => answered,
  });
  using _ = client;
  expect(await client.tell('half of it')).toMatchObject({ owner: ID });
  const [first, again] = daemon.inputsOf('session.tell').map(({ key }) => key);
  expect(again).toBe(first);
  await client.session('api').converse('really?', { key: 'mine' });
  expect(daemon.inputsOf('session.prompt')).toMatchObject([{ key: 'mine' }]);
});

test('requests that could take effect twice are not repeated', async () => {
  const { daemon, client } = await withDaemon({
    'session.resume': (_input, cut) => cut(),
    'session.interrupt': (_input, cut) => cut(),
  });
  using _ = client;
  await expect(client.resume({ session: 'api' })).rejects.toMatchObject({ code: 'daemon_unreachable' });
  await expect(client.interrupt('api')).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(daemon.calls).toHaveLength(2);
});

test('converse waits for the reply to its own prompt, of the session that had the name at the start', async () => {
  const { daemon, client } = await withDaemon({
    'session.prompt': () => ({ session: anAgent(), prompt: 'p5', position: 8 }),
    'session.reply': () => answered,
  });
  using _ = client;
  expect(await client.session('api').converse('really?', { timeoutMs: 5_000 })).toMatchObject({ reply: 'yes' });
  expect(daemon.inputsOf('session.prompt')).toMatchObject([{ session: 'api', prompt: 'really?' }]);
  expect(daemon.inputsOf('session.reply')).toEqual([{ session: ID, prompt: 'p5', timeoutMs: '5000' }]);
});

test('run starts an agent, waits for the reply and lets the session end', async () => {
  const { daemon, client } = await withDaemon({ 'session.start': () => started, 'session.reply': () => answered });
  using _ = client;
  expect(await client.run('fix the tests', { model: 'opus', timeoutMs: 1_000 })).toMatchObject({ reply: 'yes' });
  expect(daemon.inputsOf('session.start')[0]).toMatchObject({ agent: '', prompt: 'fix the tests', keepOpen: false });
  expect(daemon.inputsOf('session.start')[0]).not.toHaveProperty('timeoutMs');
  expect(daemon.inputsOf('session.reply')).toEqual([{ session: ID, prompt: 'p1', timeoutMs: '1000' }]);
});

test('a handle knows its first prompt and the position of its first event, and waits for the reply', async () => {
  const { daemon, client } = await withDaemon({ 'session.start': () => started, 'session.reply': () => answered });
  using _ = client;
  const session = await client.start({ agent: 'scripted', prompt: 'x' });
  expect([session.id, session.firstPrompt, session.position]).toEqual([ID, 'p1', 7]);
  await session.reply();
  await session.reply({ prompt: 'p2' });
  await client.session('api').reply();
  expect(daemon.inputsOf('session.reply').map(({ prompt }) => prompt)).toEqual(['p1', 'p2', undefined]);
});

test('a wait that a daemon ends early by shutting down continues, but not longer than requested', async () => {
  const early = { session: anAgent({ phase: 'working' }), prompt: 'p1', met: 'nothing', reply: null, position: 9 };
  let times = 0;
  const { daemon, client } = await withDaemon({
    'session.reply': () => {
      times += 1;
      return times < 3 ? early : answered;
    },
    'session.wait': () => ({ ...early, cursor: 0 }),
  });
  using _ = client;
  expect(await client.reply({ session: 'api' })).toMatchObject({ met: 'answered' });
  times = -1_000;
  expect(await client.reply({ session: 'api', timeoutMs: 200 })).toMatchObject({ met: 'nothing' });
  expect(await client.wait({ session: 'api', for: 'idle', timeoutMs: 100 })).toMatchObject({ met: 'nothing' });
  const asked = daemon.inputsOf('session.reply').map(({ timeoutMs }) => timeoutMs);
  expect(asked.slice(0, 4)).toEqual([undefined, undefined, undefined, '200']);
  expect(Number(asked.at(-1))).toBeLessThan(160);
});

test('the first events of a wait are those after the call, also when it must be repeated', async () => {
  let times = 0;
  const { daemon, client } = await withDaemon({
    'daemon.status': () => ({ position: 40 + times }),
    'session.wait': (_input, cut) => {
      times += 1;
      if (times === 1) cut();
      return { session: anAgent(), met: 'event', cursor: 0, position: 43 };
    },
  });
  using _ = client;
  await client.session('api').waitFor('event:tool.called,ended');
  expect(daemon.inputsOf('session.wait').map(({ after }) => after)).toEqual(['40', '40']);
});

test('the last events are counted once: a follower that lost its connection continues where it was', async () => {
  const { daemon, client } = await withDaemon({
    'session.events': async function* (input, cut) {
      const position = Number(input.after ?? 0) + 1;
      yield { position, session: ID, seq: position, ts: '', event: 'x', body: {} };
      cut();
    } as Answers['session.events'] & object,
  });
  using _ = client;
  for await (const { position } of client.events({ last: 5, types: ['tool.', 'prompt.'], follow: true }))
    if (position === 3) break;
  expect(daemon.inputsOf('session.events').map(({ last, after }) => [last, after])).toEqual([
    ['5', undefined],
    [undefined, '1'],
    [undefined, '2'],
  ]);
  expect(daemon.inputsOf('session.events')[0]?.types).toEqual(['tool.', 'prompt.']);
});
