import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OutlastError } from '../../src/base/errors.ts';
import { connect } from '../../src/client/index.ts';
import { aSession, endedSession } from '../../src/testing/session-view.ts';
import { eventually } from '../eventually.ts';
import { type Answers, type FakeDaemon, fakeDaemon } from '../fake-daemon.ts';

let state: string;
let daemon: FakeDaemon | null = null;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'outlast-client-'));
});

afterEach(async () => {
  await daemon?.close();
  daemon = null;
  rmSync(state, { recursive: true, force: true });
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

async function withDaemon(answers: Answers) {
  daemon = await fakeDaemon(state, answers);
  return { daemon, client: connect({ state, start: false }) };
}

test('inputs of a GET travel as a query, those of a POST as a body, the session in the path', async () => {
  const { daemon, client } = await withDaemon({
    'session.output': () => ({}),
    'session.write': () => ({ bytes: 3, pendingBytes: 0 }),
    'session.remove': () => ({ id: 'x' }),
  });
  using _ = client;
  await client.output({ session: 'a b/ü', view: 'raw', from: 0, bytes: undefined });
  await client.write({ session: 'fix-tests', base64: 'YWJj', eof: true });
  await client.remove({ session: 'fix-tests', stop: true });
  const caller = expect.objectContaining({ pid: process.pid });
  expect(daemon.calls).toEqual([
    { name: 'session.output', input: { session: 'a b/ü', view: 'raw', from: '0' } },
    { name: 'session.write', input: { session: 'fix-tests', base64: 'YWJj', eof: true, caller } },
    {
      name: 'session.remove',
      input: { session: 'fix-tests', stop: 'true', caller: expect.stringContaining(`"pid":${process.pid},`) },
    },
  ]);
});

test('an answer of many megabytes and of many bytes per character arrives whole', async () => {
  const text = 'ü€😀'.repeat(400_000);
  const { client } = await withDaemon({ 'session.output': () => ({ text }) });
  using _ = client;
  expect((await client.output({ session: 's' })).text).toBe(text);
});

test('an error of the daemon is thrown with its code and message', async () => {
  const { client } = await withDaemon({
    'session.show': () => {
      throw new OutlastError('session_not_found', 'no session is called "nope"');
    },
  });
  using _ = client;
  await expect(client.show('nope')).rejects.toMatchObject({
    code: 'session_not_found',
    message: 'no session is called "nope"',
  });
});

test('without a daemon, and without permission to start one, it says so', async () => {
  using client = connect({ state, start: false });
  await expect(client.list()).rejects.toMatchObject({ code: 'daemon_unreachable' });
});

test('a stale socket is the same as none', async () => {
  writeFileSync(
    join(state, 'make-stale.cjs'),
    `require('net').createServer().listen(process.argv[2], () => process.kill(process.pid, 'SIGKILL'));`,
  );
  spawnSync(process.execPath, [join(state, 'make-stale.cjs'), join(state, 'daemon.sock')]);
  expect(existsSync(join(state, 'daemon.sock'))).toBe(true);
  using client = connect({ state, start: false });
  await expect(client.list()).rejects.toThrow('no daemon is listening there');
});

test('a socket path the kernel would cut off is refused with the remedy', () => {
  expect(() => connect({ state: join(state, 'x'.repeat(100)) })).toThrow('use a shorter state folder');
});

test('a followed stream that breaks continues from the same offset: nothing lost, nothing duplicated', async () => {
  const output = 'one two three four';
  const { daemon, client } = await withDaemon({
    'session.follow': async function* (input, cut) {
      const from = Number(input.from);
      const end = Math.min(from + 5, output.length);
      yield { text: output.slice(from, end), next: end };
      if (end < output.length) return cut();
      yield { session: endedSession(0) };
    } as Answers['session.follow'] & object,
  });
  using _ = client;
  let seen = '';
  for await (const line of client.follow({ session: 's', from: 0 })) seen += line.text ?? '';
  expect(seen).toBe(output);
  expect(daemon.inputsOf('session.follow').map((input) => input.from)).toEqual(['0', '5', '10', '15']);
});

test('a stream that always breaks is reopened until its reader leaves', async () => {
  const { daemon, client } = await withDaemon({
    'session.follow': async function* (_input, cut) {
      yield* [];
      cut();
    } as Answers['session.follow'] & object,
  });
  using _ = client;
  const leaving = new AbortController();
  const reading = all(client.follow({ session: 's', from: 0 }, leaving.signal));
  reading.catch(() => {});
  await eventually(() => daemon.inputsOf('session.follow').length > 4, { msMax: 30_000 });
  leaving.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
});

test('an error inside a stream is thrown', async () => {
  const { client } = await withDaemon({
    'session.events': async function* () {
      yield { position: 1, session: 's', seq: 1, ts: '', event: 'session.created', body: {} };
      yield { error: { code: 'journal_failed', message: 'reading failed', hint: '' } };
    } as Answers['session.events'] & object,
  });
  using _ = client;
  const seen: number[] = [];
  const read = async () => {
    for await (const event of client.events({ follow: true })) seen.push(event.position);
  };
  await expect(read()).rejects.toMatchObject({ code: 'journal_failed' });
  expect(seen).toEqual([1]);
});

test('a start whose answer was lost is repeated with the same key; a write is not', async () => {
  let starts = 0;
  const { daemon, client } = await withDaemon({
    'session.start': (_input, cut) => {
      starts += 1;
      if (starts === 1) return cut();
      return { session: aSession(), warnings: [], position: 1 };
    },
    'session.write': (_input, cut) => cut(),
  });
  using _ = client;
  const session = await client.start({ argv: ['true'] });
  const keys = daemon.inputsOf('session.start').map((input) => input.key);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await expect(session.write({ base64: 'YQ==' })).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(daemon.inputsOf('session.write')).toHaveLength(1);
});

test('aborting ends the wait with the reason of the abort and closes the connection', async () => {
  let left = false;
  const { client } = await withDaemon({ 'session.wait': () => new Promise(() => {}) });
  using _ = client;
  const abort = new AbortController();
  const waiting = client.wait({ session: 's' }, abort.signal).catch((error: unknown) => {
    left = true;
    throw error;
  });
  await eventually(() => daemon?.inputsOf('session.wait').length === 1);
  abort.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(left).toBe(true);
});

test('waiting for a text is anchored at the output there was when the call was made', async () => {
  const { daemon, client } = await withDaemon({
    'session.output': () => ({ end: 77 }),
    'session.wait': () => ({ session: aSession(), met: 'text', cursor: 99 }),
  });
  using _ = client;
  await client.wait({ session: 's', for: 'text:ready' });
  expect(daemon.inputsOf('session.wait')[0]).toMatchObject({ since: '77', for: 'text:ready' });
});

test('exec gives the output and how it ended', async () => {
  const { daemon, client } = await withDaemon({
    'session.start': () => ({ session: aSession(), warnings: [], position: 1 }),
    'session.follow': async function* () {
      yield { text: 'hello ', next: 6 };
      yield { text: 'world', next: 11 };
      yield { session: endedSession(7) };
    } as Answers['session.follow'] & object,
  });
  using _ = client;
  const done = await client.exec({ argv: ['x'], env: { A: '1' } });
  expect(done).toMatchObject({ output: 'hello world', session: { exit: { status: 7 } } });
  expect(daemon.inputsOf('session.start')[0]).toMatchObject({ background: false, env: { A: '1' }, cwd: process.cwd() });
});

test('the events of a session end with its end', async () => {
  const { client } = await withDaemon({
    'session.events': async function* () {
      for (const [index, event] of ['session.created', 'session.ended', 'session.removed'].entries()) {
        yield { position: index + 1, session: 's', seq: index + 1, ts: '', event, body: {} };
      }
    } as Answers['session.events'] & object,
  });
  using _ = client;
  const seen = await all(client.session('s').events());
  expect(seen.map((event) => event.event)).toEqual(['session.created', 'session.ended']);
});

test('the events of a resumed session continue after its first end', async () => {
  const eventTypes = ['session.created', 'session.ended', 'session.resumed', 'session.ended'];
  const { client } = await withDaemon({
    'session.events': async function* ({ after = 0, types }: { after?: number; types?: string[] }) {
      for (const [index, event] of eventTypes.entries())
        if (index >= Number(after) && (types === undefined || [types].flat().includes(event)))
          yield { position: index + 1, session: 's', seq: index + 1, ts: '', event, body: {} };
    } as Answers['session.events'] & object,
  });
  using _ = client;
  const seen = await all(client.session('s').events());
  expect(seen.map((event) => event.event)).toEqual(eventTypes);
});

// A daemon of four lines: it records its environment, then listens.
const TINY_DAEMON = `
import http from 'node:http'; import fs from 'node:fs';
const state = process.env.OUTLAST_STATE;
const stat = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
const { env, pid, ppid } = process;
const about = { env, pid, ppid, cwd: process.cwd(), session: stat[3], stdin: fs.readlinkSync('/proc/self/fd/0') };
const server = http.createServer((q, r) => r.end(JSON.stringify(about)));
server.listen(state + '/daemon.sock').on('error', () => process.exit(75));
`;

test('a missing daemon is started detached, with a clean environment, once for many callers', async () => {
  const folder = join(state, 'open');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const program = join(state, 'tiny.mjs');
  writeFileSync(program, TINY_DAEMON);
  const env = {
    HOME: '/h',
    PATH: process.env.PATH,
    OUTLAST_DAEMON: program,
    OUTLAST_RUN: 'x',
    NODE_OPTIONS: '--no-warnings',
    LC_ALL: 'C',
    SECRET: 's',
  };
  const clients = [1, 2, 3, 4].map(() => connect({ state: folder, env }));
  const answers = (await Promise.all(clients.map((client) => client.daemonStatus()))) as unknown as Record<
    string,
    unknown
  >[];
  for (const client of clients) client.close();
  const [about] = answers;
  try {
    expect(new Set(answers.map((answer) => answer.pid)).size).toBe(1);
    expect(about?.env).toEqual(expect.objectContaining({ HOME: '/h', LC_ALL: 'C', OUTLAST_STATE: folder }));
    for (const name of ['OUTLAST_RUN', 'NODE_OPTIONS', 'SECRET']) expect(about?.env).not.toHaveProperty(name);
    expect(about).toMatchObject({ cwd: '/', stdin: '/dev/null' });
    expect(about?.ppid).not.toBe(process.pid);
    const ownSession = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[3];
    expect(about?.session).not.toBe(ownSession);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  } finally {
    process.kill(Number(about?.pid), 'SIGKILL');
  }
});

test('a daemon that cannot start is reported with its error output', async () => {
  const program = join(state, 'broken.mjs');
  writeFileSync(program, `console.error('cannot open the journal: disk full'); process.exit(1);`);
  writeFileSync(join(state, 'daemon.log'), 'an old complaint\n');
  using client = connect({ state, env: { PATH: process.env.PATH, OUTLAST_DAEMON: program } });
  const failure = await client.list().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'daemon_unreachable' });
  expect(String(failure)).toContain('cannot open the journal: disk full');
  expect(String(failure)).not.toContain('an old complaint');
});

test('a state folder that cannot be created is refused at once', async () => {
  using client = connect({ state: '/proc/nowhere', env: { PATH: process.env.PATH } });
  await expect(client.list()).rejects.toMatchObject({ code: 'state_unusable' });
});

test('a state folder that is a file is refused', async () => {
  const file = join(state, 'file');
  writeFileSync(file, '');
  using client = connect({ state: file, env: { PATH: process.env.PATH, OUTLAST_DAEMON: '/nonexistent' } });
  await expect(client.list()).rejects.toMatchObject({ code: 'state_unusable' });
});

test('a connection is kept for the next call', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen(join(state, 'daemon.sock'), resolve));
  using client = connect({ state, start: false });
  for (let count = 0; count < 5; count += 1) await client.list();
  expect(connections).toBe(1);
  client.close();
  await new Promise((resolve) => server.close(resolve));
});
