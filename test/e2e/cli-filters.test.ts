import { expect, test } from 'vitest';
import { aSession, endedSession } from '../../src/testing/session-view.ts';
import { cliWorld } from './cli-world.ts';

const stopped = () => ({
  session: endedSession(143, { outcome: { kind: 'stopped', by: 'caller' }, endedAtMs: Date.now() }),
});

test('T-LIST-5: filters of list reach the daemon, and an unknown state is refused', async () => {
  await using world = await cliWorld({ 'session.list': () => ({ sessions: [], more: false }) });
  const words = ['--agent', 'claude', '--owner', 'lead', '--workspace', '/w/../w', '--older-than', '1h'];
  expect(await world.inside(['list', ...words, '--newer-than', '2d', '--state', 'held'])).toMatchObject({
    status: 0,
    out: 'No session matches. All sessions: outlast list\n',
  });
  const given = { agent: 'claude', owner: 'lead', workspace: '/w', olderThanMs: '3600000', newerThanMs: '172800000' };
  expect(world.daemon.inputsOf('session.list')[0]).toMatchObject({ ...given, phase: 'held', state: 'all' });
  await world.inside(['list', '--state', 'ended']);
  expect(world.daemon.inputsOf('session.list')[1]).toMatchObject({ state: 'ended' });
  for (const wrong of [
    ['--state', 'hold'],
    ['--state', 'live', '--ended'],
    ['--older-than', 'old'],
  ])
    expect((await world.inside(['list', ...wrong])).status).toBe(2);
});

test('T-LIST-5: stop with --all or a filter signals all at once, then waits for each', async () => {
  const live = Array.from({ length: 3 }, (_, n) => aSession({ id: `s${n}`, name: null }));
  await using world = await cliWorld({
    'session.list': ({ before }) => ({ sessions: before === undefined ? live : [], more: false }),
    'session.stop': stopped,
  });
  const ran = await world.inside(['stop', '--all']);
  expect(ran).toMatchObject({ status: 0, err: '' });
  expect(ran.out).toBe('s0: stopped by you\ns1: stopped by you\ns2: stopped by you\n');
  const asked = world.daemon.inputsOf('session.stop').map(({ session, wait }) => `${session} ${wait ?? true}`);
  expect(asked.slice(0, 3).sort()).toEqual(['s0 false', 's1 false', 's2 false']);
  expect(asked.slice(3)).toEqual(['s0 true', 's1 true', 's2 true']);
  await world.inside(['stop', '--agent', 'command', '--older-than', '2h']);
  expect(world.daemon.inputsOf('session.list').at(-1)).toMatchObject({ agent: 'command', state: 'live' });
});

test('T-LIST-5: stop without a session, a filter or --all stops nothing', async () => {
  await using world = await cliWorld({
    'session.list': () => ({ sessions: [], more: false }),
    'session.stop': stopped,
  });
  for (const words of [[], ['--now'], ['a', '--all'], ['a', '--agent', 'claude'], ['--state', 'ended']])
    expect((await world.inside(['stop', ...words])).status).toBe(2);
  expect(await world.inside(['stop', '--all'])).toMatchObject({
    status: 0,
    out: 'No live session matches.\n',
  });
  expect(world.daemon.inputsOf('session.stop')).toEqual([]);
});
