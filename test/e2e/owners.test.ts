import { expect, test } from 'vitest';
import { CONTRACT } from '../../src/api/contract.ts';
import { type Does, type OperationName, ROUTES } from '../../src/api/routes.ts';
import { connect, type Outlast } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { bash, gatedWorld, person } from './gated.ts';

// Every operation has a class, and from inside a session none changes what belongs to another owner.

const NAMES = Object.keys(ROUTES) as OperationName[];
const named = (does: Does): OperationName[] => NAMES.filter((name) => ROUTES[name].does === does);

type Of<D extends Does> = { [N in OperationName]: (typeof ROUTES)[N]['does'] extends D ? N : never }[OperationName];

/** The input of each operation that changes a session. A missing one does not compile. */
const CHANGES: Readonly<Record<Of<'changes'>, object>> = {
  'session.ack': { cursor: 1, reader: 'x' },
  'session.acknowledge': {},
  'session.write': { keys: ['Enter'] },
  'session.resize': { columns: 80, rows: 24 },
  'session.control': {},
  'session.type': { control: 'x', number: 0 },
  'session.upload': { key: 'k', name: 'a', bytes: 1, base64: 'eA==' },
  'session.interrupt': {},
  'session.prompt': { text: 'do it' },
  'session.drop': { prompt: 'first' },
  'session.resume': {},
  'session.handoff': {},
  'session.background': {},
  'session.stop': {},
  'session.remove': { stop: true, force: true },
  'session.attach': {},
};

/** The input of each host operation, and its answer to an agent. */
const HOST: Readonly<Record<Of<'host'>, { give: object; code: string | null }>> = {
  'session.tell': { give: { text: 'x' }, code: 'not_supported' },
  'session.prune': { give: { olderThanMs: 0, force: true }, code: null },
  'approval.decide': { give: { which: 'asker', allow: true }, code: 'owner_refused' },
  'rule.remove': { give: { workspace: '/', effect: 'deny', text: 'Bash(x)' }, code: 'decider_refused' },
  'device.record': {
    give: { did: 'linked', device: null, browser: null, grants: ['read'], by: 'ann' },
    code: 'decider_refused',
  },
  'notice.test': { give: { name: 'desktop' }, code: 'owner_refused' },
  'notice.remove': { give: { name: 'desktop' }, code: 'owner_refused' },
  'notice.set': { give: { notice: { name: 'x', webhook: { url: 'http://127.0.0.1:9' } } }, code: 'owner_refused' },
  'boot.run': { give: { env: {}, resume: ['all'] }, code: 'owner_refused' },
  'search.delete': { give: {}, code: 'owner_refused' },
  'config.reload': { give: {}, code: 'owner_refused' },
  'daemon.stop': { give: {}, code: 'owner_refused' },
  'schedule.pause': { give: { schedule: 'later' }, code: 'owner_refused' },
  'schedule.resume': { give: { schedule: 'later' }, code: 'owner_refused' },
  'schedule.run': { give: { schedule: 'later' }, code: 'owner_refused' },
  'schedule.remove': { give: { schedule: 'later' }, code: 'owner_refused' },
};

/** Operations that read though they are not a GET: their input is too large for a query, or they have no effect. */
const READING_POSTS: readonly OperationName[] = [
  'tmux.find',
  'tmux.capture',
  'tmux.wait',
  'search.query',
  'daemon.wake',
];

const codeOf = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error) => error.code,
  );

test('every operation has the class that its form suggests, and asks who calls unless it reads', () => {
  const wrong = NAMES.filter((name) => {
    const { method, path } = ROUTES[name];
    const isReading = ROUTES[name].does === 'reads';
    if (path.startsWith('/sessions/:session') && method !== 'GET' && ROUTES[name].does !== 'changes') return true;
    if (method !== 'GET' && isReading !== READING_POSTS.includes(name)) return true;
    const { shape } = CONTRACT[name].input;
    return !isReading && (!('caller' in shape) || (ROUTES[name].does === 'changes' && !('session' in shape)));
  });
  expect(wrong).toEqual([]);
  expect(named('changes').toSorted()).toEqual(Object.keys(CHANGES).toSorted());
  expect(named('host').toSorted()).toEqual(Object.keys(HOST).toSorted());
  expect(named('starts')).toEqual(['session.start', 'conversation.resume', 'schedule.create']);
});

test('from inside a session nothing changes what others started, and its own sessions obey', async () => {
  await using world = await gatedWorld();
  const ann = person(world, 'ann');
  const start = async (...words: string[]): Promise<string> =>
    (await ann.cli(['start', '--agent', 'scripted', ...words, 'hello'])).stdout.trim();
  const boss = await start('--name', 'boss');
  const other = await start('--name', 'other');
  const past = await start('--name', 'past', '--end');
  await ann.waitForEnd('past');
  await ann.start([bash('echo x')], '--gate', '--name', 'asker');
  const question = await ann.pendingApproval('asker');
  await ann.cli(['exec', '--at', '+1h', '--name', 'later', '--', 'true']);
  for (const id of [boss, other]) await world.client.wait({ session: id, for: 'idle', timeoutMs: 20_000 });
  using inside = connect({ state: world.state, start: false, env: { ...world.env, OUTLAST_RUN: `${boss}.1` } });
  const call = (by: Outlast, name: OperationName, give: object) => codeOf(by.call(name, give as never));

  const before = [...(await world.events(other)), ...(await world.events(past))];
  const refusals = named('changes').flatMap((name) =>
    [other, past].map(async (session) => [
      name,
      await call(inside, name, { ...CHANGES[name as Of<'changes'>], session }),
    ]),
  );
  expect(await Promise.all(refusals)).toEqual(
    named('changes').flatMap((name) => [
      [name, 'owner_refused'],
      [name, 'owner_refused'],
    ]),
  );
  for (const name of named('host')) {
    const { give, code } = HOST[name as Of<'host'>];
    expect([name, await call(inside, name, give)]).toEqual([name, code]);
  }
  expect([...(await world.events(other)), ...(await world.events(past))]).toEqual(before);
  expect((await ann.pendingApproval('asker')).id).toBe(question.id);

  // What a session plans belongs to it: its sessions are owned, and it ends with the session.
  const planned = { agent: 'scripted', cwd: ann.workspace, prompt: 'hello', name: 'planned' };
  await inside.schedules.create({ at: '+1h', start: planned });
  const { session: owned, owner } = await inside.schedules.run('planned');
  expect([owner, (await world.client.show(owned ?? '')).session.owner?.session]).toEqual([boss, boss]);
  expect((await inside.schedules.pause('planned')).by).toBe('its owner');

  const kid = await inside.start({ agent: 'scripted', cwd: ann.workspace, prompt: 'hello', name: 'kid' });
  await kid.waitFor('idle', { timeoutMs: 20_000 });
  // Removed last, and stopped before that. A stream that waits until the session can give control tells nothing here.
  const own = named('changes').filter((name) => name !== 'session.remove' && ROUTES[name].kind !== 'stream');
  for (const name of [...own, 'session.remove'] as const)
    expect([name, await call(inside, name, { ...CHANGES[name as Of<'changes'>], session: kid.id })]).not.toEqual([
      name,
      'owner_refused',
    ]);
  expect(await codeOf(kid.show())).toBe('session_not_found');
  await ann.cli(['stop', 'boss', '--now']);
  const isOver = async () => (await world.client.schedules.show('planned')).schedule.state === 'ended' || null;
  await eventually(isOver, { what: 'a schedule that ends with its session' });
  expect((await world.client.schedules.list()).map(({ name, state }) => [name, state])).toEqual([
    ['later', 'active'],
    ['planned', 'ended'],
  ]);
});
