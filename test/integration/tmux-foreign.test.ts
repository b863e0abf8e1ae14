import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { captureTmuxPane, findTmuxSessions, waitForTmuxText } from '../../src/terminal/tmux-foreign.ts';
import { eventually } from '../eventually.ts';

// A foreign tmux server, with unusual names.
const folder = mkdtempSync(join(tmpdir(), 'outlast-foreign-'));
const socket = join(folder, 'theirs');
const marker = join(folder, 'marker');
const env = { PATH: process.env.PATH ?? '', HOME: folder, TMUX_TMPDIR: folder };
const world = { clock: realClock(), env };

const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { env, encoding: 'utf8', cwd: folder });

const start = (name: string, script: string): string =>
  tmux(
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{pane_id}',
    '-x',
    '40',
    '-y',
    '10',
    '-s',
    name,
    '--',
    'sh',
    '-c',
    script,
  ).trim();

const pane = (target: string, lines = 0) => ({ socket, target, lines });

const failure = (code: string) => expect.objectContaining({ code });

beforeAll(() => {
  start('api-tests', 'echo prefix; exec cat');
  start('Fix Größe', 'echo two words; exec cat');
  // tmux keeps a doubled # as one: the name itself is "x#(touch marker)".
  start(`x##(touch ${marker.replaceAll('.', '_')})`, 'exec cat');
  execFileSync('tmux', ['-L', 'named', '-f', '/dev/null', 'new-session', '-d', '-s', 'n', 'echo by name; exec cat'], {
    env,
  });
});

afterAll(() => {
  tmux('kill-server');
  execFileSync('tmux', ['-L', 'named', 'kill-server'], { env });
  rmSync(folder, { recursive: true, force: true });
});

test('sessions are listed with their names, their time and whether they are attached', async () => {
  const { sessions, dead } = await findTmuxSessions({ sockets: [socket], folders: [], query: '' }, world);
  expect(dead).toEqual([]);
  expect(sessions.map((session) => session.name)).toEqual(
    expect.arrayContaining(['api-tests', 'Fix Größe', expect.stringContaining('#(touch')]),
  );
  for (const session of sessions) {
    expect(session).toMatchObject({ socket, attached: false });
    expect(Math.abs(session.startedAtMs - world.clock.wallMs())).toBeLessThan(120_000);
  }
  expect(existsSync(marker)).toBe(false);
});

test('a query is a part of the name, ignoring case, and of nothing but the name', async () => {
  const find = async (query: string) =>
    (await findTmuxSessions({ sockets: [socket], folders: [], query }, world)).sessions.map(({ name }) => name);
  expect(await find('fix gr')).toEqual(['Fix Größe']);
  expect(await find('API')).toEqual(['api-tests']);
  expect(await find('theirs')).toEqual([]);
  expect(await find('detached')).toEqual([]);
});

test('sockets in a folder are found, and what does not answer is named', async () => {
  const stale = join(folder, 'stale');
  execFileSync('tmux', ['-S', stale, '-f', '/dev/null', 'new-session', '-d', 'true'], { env });
  await eventually(() => existsSync(stale));
  writeFileSync(join(folder, 'plain-file'), '');
  const silent = createServer().listen(join(folder, 'silent'));
  try {
    await eventually(async () => {
      const found = await findTmuxSessions({ sockets: [], folders: [folder, '/no/such/folder'], query: 'api' }, world);
      expect(found.sessions.map(({ name }) => name)).toEqual(['api-tests']);
      expect(found.dead.toSorted()).toEqual(['/no/such/folder', join(folder, 'silent'), stale].toSorted());
      return true;
    });
  } finally {
    silent.close();
  }
});

test('a pane is read by session name, by window, by id, and by the name of the server', async () => {
  const id = start('reader', 'echo hello; exec cat');
  await eventually(async () => (await captureTmuxPane(pane('reader'), world)) === 'hello\n');
  for (const target of ['reader:', '=reader', 'reader:0', 'reader:0.0', id]) {
    expect(await captureTmuxPane(pane(target), world)).toBe('hello\n');
  }
  const session = tmux('display-message', '-p', '-t', '=reader:', '#{session_id}').trim();
  expect(await captureTmuxPane(pane(session), world)).toBe('hello\n');
  await eventually(
    async () => (await captureTmuxPane({ server: 'named', target: 'n', lines: 0 }, world)) === 'by name\n',
  );
});

test('a name never matches the beginning of another', async () => {
  await expect(captureTmuxPane(pane('api'), world)).rejects.toEqual(failure('session_not_found'));
  await expect(captureTmuxPane(pane('api-tests:7'), world)).rejects.toEqual(failure('session_not_found'));
  await expect(captureTmuxPane(pane('api-tests:sh.9'), world)).rejects.toEqual(failure('session_not_found'));
  await expect(captureTmuxPane(pane('%999'), world)).rejects.toEqual(failure('session_not_found'));
  await expect(captureTmuxPane({ socket: join(folder, 'none'), target: 'a', lines: 0 }, world)).rejects.toThrow(
    /no tmux pane "a" on .*none/,
  );
});

test('history comes with the screen when it is requested, and wrapped lines are one line', async () => {
  start('long', `i=1; while [ $i -le 50 ]; do echo line $i; i=$((i+1)); done; printf '%060d\\n' 0; exec cat`);
  await eventually(async () => (await captureTmuxPane(pane('long'), world)).includes('0'.repeat(60)));
  expect(await captureTmuxPane(pane('long'), world)).not.toContain('line 20\n');
  expect(await captureTmuxPane(pane('long', 100), world)).toMatch(/^line 1\nline 2\n/);
});

test('a text is waited for, literally or as a pattern', async () => {
  const id = start('waits', 'read go; echo "ready (now) $go"; exec cat');
  const wait = { ...pane('waits', 100), timeoutMs: 10_000 };
  const both = Promise.all([
    waitForTmuxText({ ...wait, text: 'y (n', fixed: true }, world),
    waitForTmuxText({ ...wait, text: '^ready .*x$', fixed: false }, world),
  ]);
  tmux('send-keys', '-t', id, 'x', 'Enter');
  expect(await both).toMatchObject([
    { met: true, match: 'y (n' },
    { met: true, match: 'ready (now) x' },
  ]);
});

test('a wait times out with what is there', async () => {
  const never = { text: 'never', fixed: false, timeoutMs: 150 };
  await eventually(async () => (await captureTmuxPane(pane('api-tests'), world)) === 'prefix\n');
  expect(await waitForTmuxText({ ...pane('api-tests'), ...never }, world)).toEqual({ met: false, text: 'prefix\n' });
});

test('a pane that goes away while it is waited for is an error', async () => {
  const id = start('going', 'read go');
  const wait = waitForTmuxText({ ...pane('going'), text: 'never', fixed: true, timeoutMs: 10_000 }, world);
  tmux('send-keys', '-t', id, 'Enter');
  await expect(wait).rejects.toEqual(failure('session_not_found'));
});

test('an invalid pattern is refused before anything is read', async () => {
  const wait = { ...pane('api-tests'), timeoutMs: 1_000, fixed: false };
  await expect(waitForTmuxText({ ...wait, text: '(' }, world)).rejects.toEqual(failure('input_invalid'));
  await expect(waitForTmuxText({ ...wait, text: '' }, world)).rejects.toEqual(failure('input_invalid'));
});
