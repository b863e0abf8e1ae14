import {
  appendFileSync, closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeSync,
} from 'node:fs'; // biome-ignore format: one import
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { SessionFacts } from '../../src/daemon/search/facts.ts';
import { some } from '../campaign.ts';
import { claudeText, fillOpencode, idOf, RECORDED, SearchWorld } from './search-world.ts';

const NOW_MS = Date.UTC(2026, 10, 19, 12);
const DAY_MS = 24 * 3_600_000;
const CLAUDE = `.claude/projects/-w/${idOf(1)}.jsonl`;

const own = (id: string, more: Partial<SessionFacts> = {}): SessionFacts => ({
  ...{ id, workspace: '/w', atMs: 0, conversations: [{ agent: 'claude', id: idOf(1), reported: null }] },
  ...more,
});

test('conversations of every agent are found: by prompts, replies and tool calls', async () => {
  using world = new SearchWorld();
  for (const { path, recorded } of RECORDED) world.write(path, recorded);
  world.write('.local/share/opencode/.keep', '');
  fillOpencode(join(world.root, '.local/share/opencode/opencode.db'), 'ses_1', '/w/api', NOW_MS);
  expect(await world.pass()).toMatchObject({ conversations: 7, why: null });
  const agents = [...RECORDED.map(({ agent }) => agent), 'opencode'];
  const all = new DatabaseSync(world.path, { readOnly: true });
  const rows = all.prepare('SELECT agent, kind, text FROM piece JOIN source ON source.id = piece.source').all();
  all.close();
  for (const agent of agents) {
    const texts = rows.filter((row) => row.agent === agent);
    expect(
      texts.map(({ kind }) => kind),
      agent,
    ).toContain('prompt');
    const words = texts.map(({ text }) => /[a-z]{4,}/i.exec(String(text))?.[0]).find(Boolean) ?? '';
    const found = await world.find(words, { agent });
    expect([agent, new Set(found.map((hit) => hit.agent))]).toEqual([agent, new Set([agent])]);
  }
  expect(new Set(rows.map(({ kind }) => kind))).toEqual(new Set(['prompt', 'reply', 'tool']));
  expect((await world.find('hello', { agent: 'opencode' }))[0]).toMatchObject({
    cwd: '/w/api',
    turn: 1,
    session: null,
  });
});

test('a search is limited to kinds, folders, sessions and times, and goes on page by page', async () => {
  using world = new SearchWorld();
  const turns = (word: string) =>
    Array.from({ length: 5 }, (_, i) => [`needle ${word} ${i}`, `found ${word}`] as const);
  world.write(CLAUDE, claudeText('/home/me/api', turns('api'), NOW_MS - 2 * DAY_MS));
  world.write(`.claude/projects/-x/${idOf(2)}.jsonl`, claudeText('/home/me/apiary', turns('bees'), NOW_MS - DAY_MS));
  await world.pass([own('s1', { workspace: '/home/me/api' })]);
  expect((await world.texts('needle')).slice(0, 2)).toEqual(['needle bees 4', 'needle bees 3']);
  expect(await world.texts('found', { kinds: ['prompt'] })).toEqual([]);
  expect(await world.texts('needle', { kinds: ['reply'] })).toEqual([]);
  expect(await world.texts('needle', { workspace: '/home/me/api' })).toHaveLength(5);
  expect(await world.texts('needle', { workspace: '/home/me' })).toHaveLength(10);
  expect(await world.texts('needle', { workspace: '/' })).toHaveLength(10);
  expect(await world.texts('needle', { workspace: '/home/you' })).toEqual([]);
  expect(await world.texts('needle', { session: 's1' })).toHaveLength(5);
  expect(await world.texts('needle', { isOurs: true })).toHaveLength(5);
  expect(await world.texts('needle', { sinceMs: NOW_MS - 1.5 * DAY_MS })).toHaveLength(5);
  expect(await world.texts('needle', { agent: 'codex' })).toEqual([]);
  const first = await world.find('needle', { limit: 7 });
  const rest = await world.find('needle', { limit: 7, before: first.at(-1)?.id ?? 0 });
  expect([...first, ...rest].map(({ text }) => text)).toEqual(await world.texts('needle'));
});

test('code is found: paths, names, options, parts of words from their beginning, and other scripts', async () => {
  using world = new SearchWorld();
  const text = 'see src/net/retry.ts:42, max_page_count, --dry-run, parseJsonLines, v1.2.3 and 重试机制';
  world.write(CLAUDE, claudeText('/w', [[text, 'ok']], NOW_MS));
  await world.pass();
  const words = [
    'src/net/retry.ts',
    'retry.ts:42',
    'page_count',
    '--dry-run',
    'parsejsonlines',
    'parseJson*',
    'v1.2.3',
  ];
  for (const word of [...words, '重试', 'NET/RETRY']) expect([word, await world.texts(word)]).toEqual([word, [text]]);
  for (const word of ['src/retry.ts', 'json', '重机', 'pars'])
    expect([word, await world.texts(word)]).toEqual([word, []]);
});

test('what is appended is found once, and what is no longer there is not found', async () => {
  using world = new SearchWorld();
  const path = world.write(CLAUDE, claudeText('/w', [['needle one', 'yes']], NOW_MS));
  const other = world.write(`.claude/projects/-w/${idOf(2)}.jsonl`, claudeText('/w', [['needle two', 'yes']], NOW_MS));
  await world.pass();
  appendFileSync(path, claudeText('/w', [['needle three', 'no']], NOW_MS + 60_000));
  await world.pass();
  expect((await world.texts('needle'))[0]).toBe('needle three');
  expect((await world.texts('needle')).sort()).toEqual(['needle one', 'needle three', 'needle two']);
  rmSync(other);
  await world.pass();
  expect(await world.texts('needle')).toEqual(['needle three', 'needle one']);
  world.write(CLAUDE, claudeText('/w', [['another needle', 'rewritten']], NOW_MS));
  await world.pass();
  expect(await world.texts('needle')).toEqual(['another needle']);
});

test('a conversation that is written anew in its place has only its last version', async () => {
  using world = new SearchWorld();
  const path = '.gemini/tmp/w/chats/session-2026-11-01T00-00-00000006.jsonl';
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  const first = line({ sessionId: idOf(6), kind: 'main' });
  const said = (id: string, text: string): string =>
    line({ id, timestamp: '2026-11-01T00:00:00.000Z', type: 'user', content: [{ text }] });
  world.write(path, `${first}${said('a', 'needle one')}${said('b', 'needle two')}${said('c', 'needle three')}`);
  await world.pass();
  expect(await world.texts('needle')).toHaveLength(3);
  appendFileSync(join(world.root, path), line({ $rewindTo: 'b' }) + said('d', 'needle four'));
  await world.pass();
  expect((await world.texts('needle')).sort()).toEqual(['needle four', 'needle one']);
});

test('the conversation of a removed session is left out until somebody goes on with it', async () => {
  using world = new SearchWorld();
  const path = world.write(CLAUDE, claudeText('/w', [['needle', 'yes']], NOW_MS));
  utimesSync(path, NOW_MS / 1_000, NOW_MS / 1_000);
  await world.pass([own('s1')]);
  expect(await world.find('needle')).toMatchObject([{ session: 's1' }]);
  await world.pass([own('s1', { removedMs: NOW_MS + 1_000 })]);
  expect(await world.find('needle')).toEqual([]);
  // Also after the index was built again, which is told of no session that the journal has forgotten.
  rmSync(world.path);
  await world.pass([], true);
  expect(await world.find('needle')).toEqual([]);
  appendFileSync(path, claudeText('/w', [['more', 'needle']], NOW_MS + DAY_MS));
  utimesSync(path, (NOW_MS + DAY_MS) / 1_000, (NOW_MS + DAY_MS) / 1_000);
  await world.pass();
  expect(await world.find('needle')).toMatchObject([{ session: null }, { session: null }]);
});

test('of an agent whose conversations cannot be read, what the journal has is found', async () => {
  using world = new SearchWorld();
  const event = (name: string, body: object): string =>
    `${JSON.stringify({ ts: new Date(NOW_MS).toISOString(), event: name, body })}\n`;
  const path = world.write(
    'state/sessions/s9/events.jsonl',
    event('prompt.queued', { prompt: 'first', text: 'find the needle' }) +
      event('tool.called', { tool: 'shell', input: '{"command":"grep needle"}' }) +
      event('prompt.answered', { prompt: 'first', reply: 'the needle is here' }),
  );
  const facts = own('s9', { conversations: [{ agent: 'goose', id: null, reported: null }] });
  await world.pass([facts]);
  const found = await world.find('needle');
  expect(found.map(({ kind, session, turn }) => [kind, session, turn]).sort()).toEqual([
    ['prompt', 's9', 1],
    ['reply', 's9', 1],
    ['tool', 's9', 1],
  ]);
  rmSync(dirname(path), { recursive: true });
  await world.pass([own('s9', { ...facts, removedMs: NOW_MS })]);
  expect(await world.find('needle')).toEqual([]);
});

test('only its owner can read the index', async () => {
  using world = new SearchWorld();
  world.write(CLAUDE, claudeText('/w', [['needle', 'yes']], NOW_MS));
  await world.pass([own('s1', { removedMs: 1 })]);
  const folder = dirname(world.path);
  const modes = readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
  expect(modes.map(([, mode]) => mode)).toEqual(modes.map(() => '600'));
  expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
});

test.each(some(['a page of it', 'all of it', 'another version', 'its first page', 'another file'] as const, 2))(
  'a damaged index is built again: %s',
  async (what) => {
    using world = new SearchWorld();
    const turns = Array.from({ length: 200 }, (_, i) => [`needle ${i}`, `reply ${i}`] as const);
    world.write(CLAUDE, claudeText('/w', turns, NOW_MS));
    await world.pass([], true);
    damage(world.path, what);
    world.write(`.claude/projects/-w/${idOf(2)}.jsonl`, claudeText('/w', [['needle more', 'yes']], NOW_MS));
    const fresh = world.again();
    // Damage may be found only by a pass; then it asks to be told about all sessions.
    let result = await fresh.pass([], true);
    if (result === null) result = await fresh.pass([], true);
    expect(result?.why).toBe(null);
    expect(await fresh.texts('needle', { limit: 500 })).toHaveLength(201);
  },
);

function damage(path: string, what: string): void {
  if (what === 'another version') {
    using db = new DatabaseSync(path);
    db.exec('PRAGMA user_version = 99');
    return;
  }
  for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const file = openSync(path, 'r+');
  const { size } = statSync(path);
  const [at, length] =
    what === 'its first page' ? [0, 4_096] : what === 'a page of it' ? [4_096 * 3, 4_096 * 8] : [0, size];
  writeSync(
    file,
    Buffer.alloc(Math.min(length, size), what === 'another file' ? 'x' : 0xa5),
    0,
    Math.min(length, size),
    at,
  );
  closeSync(file);
}

test('beyond its size the oldest texts are left out, and stay out', async () => {
  const bytesMax = 1024 ** 2;
  using world = new SearchWorld(bytesMax);
  const words = (n: number): string =>
    Array.from({ length: 300 }, (_, i) => `w${(n * 7_919 + i * 104_729) % 50_000}`).join(' ');
  for (let day = 1; day <= 16; day += 1) {
    const turns = Array.from({ length: 15 }, (_, i) => [`needle day${day} ${words(day * 100 + i)}`, words(i)] as const);
    world.write(`.claude/projects/-w/${idOf(day)}.jsonl`, claudeText('/w', turns, NOW_MS - day * DAY_MS));
  }
  const result = await world.pass();
  expect(result?.why).toBe(null);
  expect(statSync(world.path).size).toBeLessThanOrEqual(bytesMax);
  expect(await world.texts('needle day1')).toHaveLength(15);
  expect(await world.texts('needle day16')).toEqual([]);
  const { horizonMs } = result ?? {};
  expect(horizonMs).toBeGreaterThan(NOW_MS - 16 * DAY_MS);
  const before = (await world.texts('needle', { limit: 2_000 })).length;
  await world.pass();
  expect(await world.texts('needle', { limit: 2_000 })).toHaveLength(before);
});

test('of a database that cannot be read now, what is known stays; what is deleted in it goes', async () => {
  using world = new SearchWorld();
  world.write('.local/share/opencode/.keep', '');
  const path = join(world.root, '.local/share/opencode/opencode.db');
  fillOpencode(path, 'ses_1', '/w', NOW_MS);
  await world.pass();
  expect(await world.texts('hello', { kinds: ['prompt'] })).toHaveLength(1);
  const before = readFileSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(100), 0, 100, 0);
  closeSync(file);
  expect((await world.pass())?.why).toMatch('opencode.db cannot be read now');
  expect(await world.texts('hello', { kinds: ['prompt'] })).toHaveLength(1);
  const again = openSync(path, 'r+');
  writeSync(again, before, 0, before.length, 0);
  closeSync(again);
  {
    using db = new DatabaseSync(path);
    db.exec("DELETE FROM session WHERE id = 'ses_1'");
  }
  expect((await world.pass())?.why).toBe(null);
  expect(await world.texts('hello')).toEqual([]);
  expect(existsSync(path)).toBe(true);
});
