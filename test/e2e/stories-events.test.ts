import { afterAll, expect, test } from 'vitest';
import { makeWorld } from '../world.ts';
import { crash, liveCli, liveScript } from './live.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('the journal tells the story of a command in order, from any position', async () => {
  const id = JSON.parse((await world.cli(['exec', '--json', '--stdin', 'empty', '-c', 'exit 3'])).stdout).session.id;
  const lines = (await world.cli(['events', id, '--json'])).stdout.trim().split('\n');
  const events = lines.map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual([
    'session.created',
    'run.starting',
    'run.opened',
    'run.ended',
    'session.ended',
  ]);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
  const after = String(events[2].position);
  const rest = (await world.cli(['events', id, '--json', '--after', after])).stdout.trim().split('\n');
  expect(rest).toEqual(lines.slice(3));
  expect((await world.cli(['events', id, '--limit', '2'])).stdout.trim().split('\n').length).toBe(2);
});

test('a follower sees an end, also over the death of the daemon, each event once', async () => {
  await using live = liveCli(world, ['events', '--follow', '--json']);
  await live.shows('session.created');
  await crash(world);
  const args = ['exec', '--json', '--stdin', 'empty', '-c', 'exit 3'];
  const { session } = JSON.parse((await world.cli(args)).stdout);
  await live.shows(`"session":"${session.id}","seq":5`);
  const positions = live.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).position);
  expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
  live.child.kill('SIGTERM');
  expect(await live.status()).toBe('SIGTERM');
  expect(live.stderr).not.toMatch(/ {4}at |Error/);
});

test.each(['events --follow --json', 'events --follow', 'list', 'doctor'])(
  '%s | head -1 ends cleanly when its reader closes the pipe',
  async (words) => {
    const more = words.startsWith('events')
      ? // Something must be printed after the reader has left, or the write would not fail.
        '{ outlast exec -- true; outlast exec -- true; } </dev/null >/dev/null; wait'
      : 'wait';
    await using live = liveScript(
      world,
      `err="$OUTLAST_STATE/err"
       { outlast ${words} 2>"$err"; echo "status $?" >&2; } | head -1 & ${more}; cat "$err" >&2`,
    );
    expect(await live.status()).toBe(0);
    expect(live.stdout.split('\n').length).toBe(2);
    expect(live.stderr).toMatch(/^status (0|141)\n$/);
  },
);

test('exec whose reader closes the pipe does not end the command', async () => {
  await using live = liveScript(
    world,
    `outlast exec --name talks -c 'yes talk | head -n 200000; exec sleep 1000' </dev/null | head -1`,
  );
  await live.shows('talk');
  const { session } = await world.client.session('talks').wait({ for: 'idle-output:200ms', timeoutMs: 10_000 });
  expect(session.phase).toBe('working');
  expect(await live.status()).toBe(0);
  expect(live.stderr).not.toMatch(/ {4}at |bug/);
  await world.cli(['stop', 'talks', '--now']);
});
