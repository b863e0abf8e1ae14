import { createHmac } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { desktopArgv } from '../../src/daemon/notices/desktop.ts';
import { eventually } from '../eventually.ts';
import { listen, notice, noticeWorld } from './notice-world.ts';

test('a command gets the text on its standard input', async () => {
  await using world = noticeWorld();
  const file = join(world.state, 'told');
  world.start(notice('tee', { kind: 'command', argv: ['sh', '-c', 'cat > "$1.new" && mv "$1.new" "$1"', 'sh', file] }));
  const outcome = { kind: 'done', exit: { status: 1 } } as const;
  const id = world.end({ spec: { name: 'fix-tests' }, outcome, output: '1 failed\n' });
  await eventually(() => existsSync(file));
  expect(readFileSync(file, 'utf8')).toBe(`npm test (fix-tests) ended: exit 1, 42s\n1 failed\noutlast output ${id}\n`);
});

test('a notice is delivered to a command that does not read it', async () => {
  await using world = noticeWorld();
  const notices = world.start(notice('deaf', { kind: 'command', argv: ['true'] }));
  for (let i = 0; i < 40; i += 1) world.end({ output: 'x'.repeat(4_000) });
  await eventually(() => notices.delivered(world.journal.head()));
  expect(notices.status()[0]).toMatchObject({ failed: 0, lastError: null });
});

test('a command that takes too long is ended with all it started', async () => {
  await using world = noticeWorld();
  const file = join(world.state, 'pid');
  const argv = ['sh', '-c', 'sleep 300 & echo $! > "$1"; wait', 'sh', file] as const;
  const notices = world.start(notice('slow', { kind: 'command', argv: [...argv] }, { triesMax: 1, timeoutMs: 1_500 }));
  world.end();
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(notices.status()[0]?.lastError).toBe('no answer within 1500 ms');
  const pid = Number(readFileSync(file, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  await eventually(() => isGone(pid));
});

test.each([
  ['is not there', ['outlast-no-such-program'], 'cannot run outlast-no-such-program: no such file or folder (ENOENT)'],
  ['fails', ['sh', '-c', 'exit 3'], 'sh ended with exit 3'],
  ['is killed', ['sh', '-c', 'kill -9 $$'], 'sh ended with SIGKILL'],
] as const)('a command that %s is a failed try', async (_, argv, why) => {
  await using world = noticeWorld();
  const notices = world.start(notice('bad', { kind: 'command', argv: [...argv] as [string] }, { triesMax: 2 }));
  world.end();
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(notices.status()[0]?.lastError).toBe(why);
});

test('a webhook is signed with the secret in the file, and gets its headers', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const secretFile = join(world.state, 'secret');
  writeFileSync(secretFile, 'open sesame\n');
  const headers = { 'X-Room': 'four', Authorization: { file: secretFile } };
  world.start(notice('hook', { kind: 'webhook', url: `${server.url}/a?b=c`, secretFile, headers }));
  world.end({ output: 'grün ✓\n' });
  const got = await eventually(() => server.received[0]);
  const signature = createHmac('sha256', 'open sesame').update(Buffer.from(got.body)).digest('hex');
  expect(got.headers['x-outlast-signature']).toBe(`sha256=${signature}`);
  expect(got).toMatchObject({ path: '/a?b=c', headers: { 'x-room': 'four', authorization: 'open sesame' } });
  expect(got.notices[0]?.snippet).toBe('grün ✓');
});

test('a webhook without a secret is not signed', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  world.start(notice('hook', { kind: 'webhook', url: server.url }));
  world.end();
  expect((await eventually(() => server.received[0])).headers).not.toHaveProperty('x-outlast-signature');
});

test('a secret that cannot be read fails the try, and nothing is sent unsigned', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const secretFile = join(world.state, 'none');
  const notices = world.start(notice('hook', { kind: 'webhook', url: server.url, secretFile }, { triesMax: 1 }));
  world.end();
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(notices.status()[0]?.lastError).toContain(secretFile);
  expect(server.received).toEqual([]);
});

test('a redirect is not followed', async () => {
  await using world = noticeWorld();
  await using server = await listen(() => 307);
  const notices = world.start(notice('hook', { kind: 'webhook', url: `${server.url}/here` }, { triesMax: 1 }));
  world.end();
  await eventually(() => notices.status()[0]?.failed === 1);
  expect(server.received.map(({ path }) => path)).toEqual(['/here']);
  expect(notices.status()[0]?.lastError).toMatch(/answered 307$/);
});

test('ntfy gets a title that is safe in a header, the text and the token', async () => {
  await using world = noticeWorld();
  await using server = await listen();
  const tokenFile = join(world.state, 'token');
  writeFileSync(tokenFile, 'tk_1\n');
  world.start(notice('phone', { kind: 'ntfy', url: `${server.url}/`, topic: 'mine', tokenFile }));
  const argv = ['sh', '-c', 'echo "grün"\r\nX-Evil: 1'];
  const id = world.end({ spec: { argv }, outcome: { kind: 'done', exit: { status: 137 } }, output: 'last\n' });
  const { path, headers, body } = await eventually(() => server.received[0]);
  expect(path).toBe('/mine');
  expect(headers).toMatchObject({ authorization: 'Bearer tk_1', tags: 'warning' });
  expect(headers).not.toHaveProperty('x-evil');
  const title = /^=\?UTF-8\?B\?(.*)\?=$/.exec(String(headers.title))?.[1] ?? '';
  expect(Buffer.from(title, 'base64').toString()).toBe('echo "grün" X-Evil: 1 ended: signal 9 KILL (or exit 137), 42s');
  expect(body).toBe(`last\noutlast output ${id}`);
});

test('a desktop notification never treats our text as an option or as markup', async () => {
  await using world = noticeWorld();
  const file = join(world.state, 'shown');
  const program = join(world.state, process.platform === 'darwin' ? 'osascript' : 'notify-send');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$@" > ${file}.new && mv ${file}.new ${file}\n`);
  chmodSync(program, 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${world.state}:${PATH}`;
  try {
    world.start(notice('desk', { kind: 'desktop' }));
    world.end({ spec: { argv: ['--help'] }, output: '<b>bold</b> & more\n' });
    await eventually(() => existsSync(file));
  } finally {
    process.env.PATH = PATH;
  }
  const [before, after] = readFileSync(file, 'utf8').split('\n--\n');
  expect(before).not.toContain('--help');
  expect(after).toContain('--help ended: exit 0, 42s\n');
});

test('the text of a desktop notification is an argument after the options, on each system', () => {
  expect(desktopArgv('linux', '-t', '<a> & b').slice(-3)).toEqual(['--', '-t', '&lt;a&gt; &amp; b']);
  expect(desktopArgv('darwin', '-t', '" & do shell script "x').slice(-3)).toEqual([
    '--',
    '-t',
    '" & do shell script "x',
  ]);
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return true;
  }
  const stat = `/proc/${pid}/stat`;
  // Where orphans are not reaped, a dead process keeps its pid.
  return existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z ');
}
