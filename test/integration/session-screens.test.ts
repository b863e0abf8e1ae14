import { expect, test } from 'vitest';
import type { ScreenLine } from '../../src/client/follow.ts';
import { connect } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';

const TERMINALS = ['pipe', 'pty', 'tmux'] as const;

test.each(TERMINALS)('the screen of a %s is followed over the death of the daemon, to its end', async (terminal) => {
  await using world = await makeWorld();
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color' };
  const session = await world.client.start({ shell: 'echo ready; cat', cwd: '/', env, terminal, stdin: 'open' });
  const seen: ScreenLine[] = [];
  // It waits for the next daemon, and starts none itself.
  using follower = connect({ state: world.state, env: { ...world.env, OUTLAST_DAEMON: '/nonexistent' } });
  const following = (async () => {
    for await (const line of follower.screens({ session: session.id })) seen.push(line);
  })();
  const shows = (text: string): Promise<unknown> =>
    eventually(() => seen.at(-1)?.rows.join('\n').includes(text), { what: `${text} on the screen` });
  await shows('ready');
  await session.paste('first\n');
  await shows('first');
  await world.restart();
  await session.paste('second\n');
  await shows('second');
  await session.write({ eof: true });
  await following;
  const last = seen.at(-1);
  expect(last?.ended).toBe(true);
  expect(seen.slice(0, -1).map(({ ended }) => ended)).not.toContain(true);
  expect(last?.rows.join('\n')).toMatch(/ready[\s\S]*first[\s\S]*second/);
  expect(last?.offset).toBe((await session.show()).session.outputBytes);
  const offsets = seen.map(({ offset }) => offset);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
});

test('a screen that does not change is sent once', async () => {
  await using world = await makeWorld();
  const env = { PATH: process.env.PATH ?? '' };
  const session = await world.client.start({
    shell: 'printf "\\033[H\\033[Jsame"; cat',
    cwd: '/',
    env,
    terminal: 'pty',
    stdin: 'open',
  });
  const screens = session.screens();
  await eventually(async () => (await screens.next()).value?.rows[0] === 'same');
  const next = screens.next();
  // What prints the same screen again is not a change; the next one is.
  await world.client.write({ session: session.id, keys: ['x'] });
  expect((await next).value?.rows[0]).toBe('samex');
  await session.stop();
});
