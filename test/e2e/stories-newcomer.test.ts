import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeEnded } from '../../bench/ended.ts';
import { Print, type Sink } from '../../src/cli/base/print.ts';
import { run } from '../../src/cli/run.ts';
import { realClock } from '../../src/client/clock.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, World } from '../world.ts';

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const words = async (...line: string[]): Promise<string[]> => {
  const { stdout } = await world.cli(['__complete', '--', ...line]);
  return stdout.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0] ?? '']));
};

test('an empty list says where else to look', async () => {
  expect((await world.cli(['list'])).stdout).toMatch(/^No sessions\. Start one: outlast exec -- COMMAND/);
  expect((await world.cli(['list', '--live'])).stdout).toBe('No live sessions. Ended ones: outlast list --ended\n');
});

test('completion offers what a command can use, each once', async () => {
  for (const _ of [1, 2]) await world.cli(['exec', '--name', 'twice', '--', 'true']);
  const unnamed = (await world.cli(['exec', '-b', '--', 'sleep', '1000'])).stdout.trim();
  await world.cli(['exec', '-b', '--name', 'server', '--', 'sleep', '1000']);
  expect(await words('stop', '')).toEqual(['server', unnamed]);
  expect(await words('remove', '')).toEqual(['twice']);
  expect((await words('show', '')).toSorted()).toEqual(['server', 'twice', unnamed].toSorted());
  for (const session of ['server', unnamed]) await world.client.stop({ session, graceMs: 0 });
});

test('a session that had already ended is not reported as killed', async () => {
  const { id } = await world.client.start({ argv: ['true'] });
  await world.client.wait({ session: id });
  expect((await world.cli(['process', 'kill', id])).stdout).toBe(`Session ${id} had already ended (exit 0).\n`);
  expect((await world.cli(['stop', id])).stdout).toBe(`${id}: already ended (exit 0)\n`);
});

test('a stderr that was not kept separate is not silently empty', async () => {
  const { id } = await world.client.start({ argv: ['sh', '-c', 'echo oops >&2'] });
  await world.client.wait({ session: id });
  const ran = await world.cli(['output', id, '--stderr']);
  expect([ran.status, ran.stderr]).toEqual([
    2,
    `outlast: ${id} has no separate stderr: without --split it is part of the output\n`,
  ]);
  expect((await world.cli(['output', id])).stdout).toBe('oops\n');
});

test('doctor says everything once', async () => {
  const lines = (await world.cli(['doctor'])).stdout.trimEnd().split('\n');
  const names = lines.map((line) => /^(?:ok {2}|FAIL) ([^:]+):/.exec(line)?.[1]);
  expect(new Set(names).size).toBe(names.length);
  for (const line of lines) expect(line).toBe(line.trimEnd());
});

test('the help of everything, and of one command, is there for programs too', async () => {
  const all = JSON.parse((await world.cli(['help', '--json'])).stdout);
  expect(all.commands).toContainEqual(
    expect.objectContaining({ name: 'process poll', summary: 'Print the output since the last poll.' }),
  );
  const one = JSON.parse((await world.cli(['help', 'exec', '--json'])).stdout);
  expect(one.options).toContainEqual(expect.objectContaining({ name: '--silence', type: 'string', default: 'none' }));
  expect(JSON.parse((await world.cli(['exec', '--help', '--json'])).stdout)).toEqual(one);
});

test('prune covers all ended sessions, more than fit in one page', async () => {
  await using other = new World();
  const count = 520;
  writeEnded(other.state, count);
  await other.start();
  const { removed } = await other.client.prune({ olderThanMs: 0 });
  expect(removed).toHaveLength(count);
  expect((await other.client.list()).sessions).toEqual([]);
}, 60_000);

test('the beginning of an id is enough, on the command line and in the SDK; what fits two is refused', async () => {
  const ids = await Promise.all([1, 2].map(async () => (await world.client.start({ argv: ['sleep', '1000'] })).id));
  const [id = '', other = ''] = ids;
  const listed = JSON.parse((await world.cli(['list', '--live', '--json'])).stdout).sessions;
  const short: string = listed.find((each: { id: string }) => each.id === id).short;
  expect([short.length >= 12, id.startsWith(short)]).toEqual([true, true]);
  expect((await world.cli(['ps'])).stdout).toContain(`\n${short}  working`);
  expect((await world.client.show(short)).session.id).toBe(id);
  const both = id.slice(
    0,
    [...id].findIndex((letter, i) => letter !== other[i]),
  );
  const refused = await world.cli(['stop', both]);
  expect([refused.status, refused.stderr]).toEqual([
    2,
    expect.stringContaining(`"${both}" begins more than one session`),
  ]);
  expect((await world.client.list({ state: 'live' })).sessions.length).toBe(2);
  expect((await world.cli(['stop', short, '--now'])).stdout).toContain(`${short}: stopped`);
  expect((await world.client.list({ state: 'live' })).sessions.map((each) => each.id)).toEqual([other]);
  await world.client.stop({ session: other, graceMs: 0 });
});

test('without a command, a terminal shows what runs and what to type; it starts no daemon', async () => {
  await world.client.start({ argv: ['sleep', '1000'], name: 'server' });
  await eventually(async () => (await world.client.show('server')).session.phase === 'working');
  const page = await homeOf(world.state);
  expect(page).toMatch(/^1 session: 1 working\.\n\nRunning\n {2}server {2}working/);
  expect(page).toContain('  outlast logs server --follow  follow what it does');
  await world.client.stop({ session: 'server', graceMs: 0 });
  expect(await homeOf(world.state)).toContain('Nothing is running.');
  const nowhere = join(world.state, 'nowhere');
  expect(await homeOf(nowhere)).toContain('Usage: outlast COMMAND');
  expect(existsSync(nowhere)).toBe(false);
});

async function homeOf(state: string): Promise<string> {
  let out = '';
  const sink: Sink = {
    isTty: true,
    columns: 80,
    write: async (bytes) => {
      out += String(bytes);
    },
  };
  const env = { OUTLAST_STATE: state, NO_COLOR: '1' };
  expect(await run([], { env, clock: realClock(), print: new Print(sink, sink, env) })).toBe(0);
  return out;
}

test('the daemon is restarted, and sessions keep running', async () => {
  const { id } = await world.client.start({ argv: ['sleep', '1000'] });
  const before = (await world.client.daemonStatus()).pid;
  const ran = await world.cli(['daemon', 'restart']);
  expect(ran.stdout).toMatch(/^The daemon is running \(pid \d+\)\. 1 session keeps running\.\n$/);
  expect((await world.client.daemonStatus()).pid).not.toBe(before);
  expect((await world.client.show(id)).session.phase).toBe('working');
  await world.client.stop({ session: id, graceMs: 0 });
});
