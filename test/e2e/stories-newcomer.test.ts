import { afterAll, expect, test } from 'vitest';
import { writeEnded } from '../../bench/ended.ts';
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
    `outlast: ${id} has no stderr of its own: it is in the output, without --split\n`,
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
  expect(all.commands).toContainEqual({ name: 'process poll', summary: 'Print the output since the last poll.' });
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
