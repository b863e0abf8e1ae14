import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { CallOutput } from '../../src/api/contract.ts';
import { eventually } from '../eventually.ts';
import { indexerPid } from '../indexer-pid.ts';
import { claudeText, idOf } from '../integration/search-world.ts';
import { mcpWorld } from '../mcp-world.ts';

type Answer = CallOutput<'search.query'>;

const it = await mcpWorld();
const { world } = it;
afterAll(() => it[Symbol.asyncDispose]());

const HOME = join(world.state, 'home');

function writeConversation(
  n: number,
  cwd: string,
  turns: readonly (readonly [string, string])[],
  // Each turn is a second later than the one before, and none is in the future.
  atMs = Date.now() - 60_000,
): string {
  const path = join(HOME, '.claude/projects', cwd.replaceAll('/', '-'), `${idOf(n)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, claudeText(cwd, turns, atMs));
  return path;
}

const startAgent = async (name: string, prompt: string): Promise<string> => {
  const started = await world.cli(['start', '--agent', 'scripted', '--name', name, prompt]);
  const id = started.stdout.trim();
  await world.client.session(id).wait({ for: 'idle,ended' });
  return id;
};

/** Searches until the daemon has read what is expected: an agent records a little later than it answers. */
const found = (words: string, count: number): Promise<Answer> =>
  eventually(
    async () => {
      const seen = await world.client.search({ words, waitMs: 20_000 });
      return seen.found.length === count && seen;
    },
    { what: `${count} texts with ${words}`, msMax: 110_000 },
  );

test('a person finds sessions and foreign conversations by the command line, and reads on', async () => {
  writeConversation(1, '/home/me/api', [['where is the wombat kept', 'the wombat is in src/zoo/wombat.ts']]);
  await startAgent('zoo', 'count every wombat');
  await found('wombat', 4);
  const seen = await world.cli(['search', 'wombat']);
  expect([seen.status, seen.stderr]).toEqual([0, '']);
  expect(seen.stdout).toContain('zoo (scripted)  turn 1, ');
  expect(seen.stdout).toContain(
    '  outlast turn zoo 1\n  reply   You said: count every wombat\n  prompt  count every wombat\n',
  );
  expect(seen.stdout).toContain(`claude 00000000  turn 1, `);
  expect(seen.stdout).toContain(`  outlast resume --conversation ${idOf(1)}\n`);
  expect((await world.cli(['turn', 'zoo', '1'])).stdout).toContain('count every wombat');
  const path = await world.cli(['search', 'src/zoo/wombat.ts', '--json']);
  const [one] = (JSON.parse(path.stdout) as Answer).found;
  expect(one).toMatchObject({ kind: 'reply', agent: 'claude', session: null, workspace: '/home/me/api' });
  expect(one?.marks.map(({ from, to }) => one.text.slice(from, to))).toEqual(['src/zoo/wombat.ts']);
});

test('options limit a search, and a page says how to go on', async () => {
  const count = async (...words: string[]): Promise<number> =>
    (JSON.parse((await world.cli(['search', 'wombat', '--json', ...words])).stdout) as Answer).found.length;
  expect(await count('--prompts')).toBe(2);
  expect(await count('--replies', '--agent', 'claude')).toBe(1);
  expect(await count('--session', 'zoo')).toBe(2);
  expect(await count('--cwd', '/home/me')).toBe(2);
  expect(await count('--since', '1h')).toBe(4);
  // A date to come is now, and what the agent has just said may have the same moment.
  await eventually(async () => (await count('--since', '2099-01-01')) === 0);
  const page = await world.cli(['search', 'wombat', '--limit', '3']);
  const [, next = ''] = /There are more: outlast (.*)$/m.exec(page.stderr) ?? [];
  const rest = await world.cli(next.split(' '));
  expect(rest.stdout).toMatch(/wombat/);
  expect(rest.stderr).not.toContain('There are more');
  const none = await world.cli(['search', 'the wombat counts every zoo']);
  expect([none.status, none.stdout]).toEqual([1, 'Nothing was found.\n']);
  expect(none.stderr).toContain(
    'That was a phrase. To search for its words separately: outlast search the wombat counts',
  );
  for (const [words, why] of [
    [['search'], 'missing argument'],
    [['search', '--', '->'], 'has no letter and no digit'],
    [['search', 'x', '--here', '--cwd', '/'], 'choose one of --here and --cwd'],
    [['search', 'x', '--since', 'yesterday'], 'not a valid duration'],
    [['search', 'x', '--session', 'nobody'], 'there is no session "nobody"'],
    [['search', 'x', '--status'], '--status takes no words'],
  ] as const) {
    const wrong = await world.cli(words);
    expect([wrong.status === 0, wrong.stderr]).toEqual([false, expect.stringContaining(why)]);
  }
});

test('a program finds it over MCP, page by page, and reads on', async () => {
  const caller = await it.caller(['--allow', 'read']);
  const { text, details } = await caller.call('search', { words: 'wombat', only: ['reply'], limit: 1 });
  expect(text).toMatch(/^\[there are more: search words=wombat only=\["reply"\] limit=1 before=\d+\]\n<data from=/);
  expect(text).toContain('zoo (scripted) turn 1, ');
  expect(text).toContain('(session_turn session=zoo number=1)\n  reply: You said: count every wombat');
  const rest = await caller.call('search', { words: 'wombat', only: ['reply'], limit: 1, before: details.more });
  expect(rest.text).toContain('the wombat is in src/zoo/wombat.ts');
  expect((await caller.call('search', { words: 'zebra' })).text).toBe('Nothing was found.');
  await caller[Symbol.asyncDispose]();
});

test('inside a session only sessions are found, and the index is not deleted', async () => {
  const zoo = (await world.client.session('zoo').show()).session.id;
  const env = { OUTLAST_RUN: `${zoo}.1` };
  const seen = JSON.parse((await world.cli(['search', 'wombat', '--json'], { env })).stdout) as Answer;
  expect(seen.found.map(({ session }) => session?.name)).toEqual(['zoo', 'zoo']);
  const refused = await world.cli(['search', '--delete-index'], { env });
  expect([refused.status === 0, refused.stderr]).toEqual([false, expect.stringContaining('may not delete the search')]);
});

test('a removed session is not found any more, and one that goes on is', async () => {
  const id = await startAgent('temporary', 'mention the quokka');
  await found('quokka', 2);
  await world.cli(['stop', id]);
  await world.cli(['remove', id]);
  // At once, whatever the indexer knows.
  expect((await world.client.search({ words: 'quokka', waitMs: 0 })).found).toEqual([]);
  await found('quokka', 0);
  await world.cli(['converse', 'zoo', 'and the quokka too']);
  expect((await found('quokka', 2)).found.map(({ turn }) => turn)).toEqual([2, 2]);
});

test('the daemon and the indexer may die at any time; what is there is found once', async () => {
  const turns = Array.from({ length: 30 }, (_, i) => [`numbat ${i}`, 'x '.repeat(200)] as const);
  for (let n = 10; n < 14; n += 1) writeConversation(n, `/w/${n}`, turns);
  for (let i = 0; i < 3; i += 1) {
    const pid = await eventually(
      () => {
        // Only begins the index: its answer may come after the daemon has been restarted below.
        world.client.search({ words: 'numbat', waitMs: 0 }).catch(() => {});
        return indexerPid(world.state);
      },
      { what: 'an indexer' },
    );
    process.kill(pid, 'SIGKILL');
    await eventually(() => indexerPid(world.state) !== pid, { what: 'its end' });
  }
  await world.restart();
  const all = await eventually(async () => {
    const seen = await world.client.search({ words: 'numbat', limit: 1, waitMs: 30_000 });
    return seen.index.state === 'current' && seen.index.progress === null && seen.index;
  });
  expect(all.why).toBe(null);
  for (const last of ['numbat 0', 'numbat 29'])
    expect((await world.client.search({ words: `"${last}"`, limit: 100 })).found).toHaveLength(4);
});

test('a damaged index is built again by the search that meets it', async () => {
  const index = join(world.state, 'search/index.db');
  await world.kill();
  for (const end of ['-wal', '-shm']) if (existsSync(`${index}${end}`)) writeFileSync(`${index}${end}`, '');
  writeFileSync(index, 'this is no database, and never was one');
  await world.start();
  await found('wombat', 4);
  expect(world.log().split('"started"').at(-1)).not.toContain('cannot be brought up to date');
});

test('the index is shown, deleted and built again', async () => {
  await found('wombat', 4);
  const status = await world.cli(['search', '--status']);
  expect(status.stdout).toMatch(/^\d+ conversations, \d+ texts, [\d.]+ MB of at most 1024 MB, as of .* ago\.\n$/);
  expect((await world.cli(['search', '--delete-index'])).stdout).toMatch('The index is deleted');
  expect(existsSync(join(world.state, 'search/index.db'))).toBe(false);
  expect((await world.cli(['search', '--status'])).stdout).toBe('There is no index. The first search builds it.\n');
  expect((await world.cli(['search', '--rebuild'])).stdout).toMatch(/^\d+ conversations/);
  await found('wombat', 4);
});

test('search.enabled: false refuses a search and deletes the index', async () => {
  const config = join(world.state, 'config.json');
  await world.kill();
  writeFileSync(config, JSON.stringify({ search: { enabled: false } }));
  await world.start();
  expect(existsSync(join(world.state, 'search/index.db'))).toBe(false);
  const refused = await world.cli(['search', 'wombat']);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('the search is off');
  expect((await world.cli(['search', '--status'])).stdout).toMatch('The search is off');
});
