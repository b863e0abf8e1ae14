import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, World } from '../world.ts';

const DAEMON = join(import.meta.dirname, '../../dist/daemon.js');
const sh = (line: string): { argv: string[] } => ({ argv: ['sh', '-c', line] });

test('a command keeps running when the daemon is killed, and the next daemon reports its exit', async () => {
  await using world = await makeWorld();
  const ledger = join(world.state, 'ledger');
  const session = await world.client.start(
    sh(`echo begun; echo run >> '${ledger}'; read line; echo "got $line"; exit 7`),
    undefined,
  );
  expect(session.started?.phase).toBe('opening');
  const open = await world.client.start({ ...sh('read line; echo "got $line"; exit 7'), stdin: 'open' });
  const before = await eventually(async () => (await open.show()).session.pid);
  await world.restart();
  expect((await open.show()).session.pid).toBe(before);
  await open.write({ base64: Buffer.from('hello\n').toString('base64') });
  const { session: ended } = await open.wait();
  expect(ended.exit?.status).toBe(7);
  expect((await open.output()).text).toBe('got hello\n');
  await session.wait();
  expect(readFileSync(ledger, 'utf8')).toBe('run\n');
});

test('a command that ends while no daemon runs is reported with its exit status', async () => {
  await using world = await makeWorld();
  const go = join(world.state, 'go');
  const session = await world.client.start(sh(`while [ ! -e '${go}' ]; do sleep 0.02; done; echo over; exit 42`));
  const pid = await eventually(async () => (await session.show()).session.pid);
  await world.kill();
  writeFileSync(go, '');
  await eventually(() => !existsSync(`/proc/${pid}`));
  await world.start();
  expect((await session.wait()).session.exit?.status).toBe(42);
  expect((await session.output()).text).toBe('over\n');
});

test('T-CRASH-2: a daemon is killed repeatedly under load: nothing is lost and nothing runs twice', {
  timeout: 300_000,
}, async () => {
  const rounds = times(6, 40);
  await using world = await makeWorld();
  const ledger = join(world.state, 'ledger');
  const accepted: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const starts = Array.from({ length: 8 }, async (_, i) => {
      const key = `k-${round}-${i}`;
      const line = `echo ${key} >> '${ledger}'; sleep 0.0${i}; exit ${i}`;
      try {
        const session = await world.client.start({ ...sh(line), key });
        accepted.push(session.id);
      } catch {
        // Refused, or accepted and the answer was lost: the ledger may contain it once, never twice.
      }
    });
    const killing = eventually(() => accepted.length > round * 4 || round === 0, { msMax: 500 }).catch(() => {});
    await killing;
    await world.restart();
    await Promise.all(starts);
  }
  tried('daemons killed', rounds);
  for (const id of accepted) {
    const { session } = await world.client.session(id).wait({ timeoutMs: 30_000 });
    expect(session.phase).toBe('ended');
    expect(session.outcome?.kind).toBe('done');
  }
  const lines = readFileSync(ledger, 'utf8').trim().split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  expect(lines.length).toBeGreaterThanOrEqual(accepted.length);
  expect(accepted.length).toBeGreaterThan(rounds * 2);
});

test('the same key starts one session, even across a restart', async () => {
  await using world = await makeWorld();
  const first = await world.client.start({ ...sh('true'), key: 'once' });
  await world.restart();
  const second = await world.client.start({ ...sh('true'), key: 'once' });
  expect(second.id).toBe(first.id);
});

test('T-DUP-1: of twenty daemons started at once, one serves, the others exit', { timeout: 120_000 }, async () => {
  await using world = new World();
  const daemons = Array.from({ length: 20 }, () =>
    spawn(process.execPath, [DAEMON], { env: world.env, stdio: 'ignore' }),
  );
  try {
    const codes = new Map<ChildProcess, number | null>();
    for (const daemon of daemons) daemon.once('exit', (code) => codes.set(daemon, code));
    await eventually(() => codes.size === 19, { msMax: 60_000, what: 'the exit of nineteen daemons' });
    expect([...codes.values()]).toEqual(Array(19).fill(75));
    const status = await eventually(() => world.client.daemonStatus());
    expect(daemons.find((daemon) => daemon.pid === status.pid && !codes.has(daemon))).toBeDefined();
  } finally {
    for (const daemon of daemons) daemon.kill('SIGKILL');
  }
});

test('a stale socket is removed', async () => {
  await using world = new World();
  mkdirSync(world.state, { recursive: true });
  const dead = createServer().listen(join(world.state, 'daemon.sock'));
  await eventually(() => dead.listening);
  // Closing removes the socket; a daemon that is killed does not do that.
  writeFileSync(join(world.state, 'kept'), '');
  await new Promise((resolve) => dead.close(resolve));
  writeFileSync(join(world.state, 'daemon.sock'), 'not even a socket');
  await world.start();
  expect((await world.client.daemonStatus()).live).toBe(0);
});

test('only the owner can access the socket and the files of the state folder', async () => {
  await using world = await makeWorld();
  const session = await world.client.start({ ...sh('true'), set: { MY_SETTING: 'x' } });
  await session.wait();
  expect(statSync(world.state).mode & 0o777).toBe(0o700);
  expect(statSync(join(world.state, 'daemon.sock')).mode & 0o777).toBe(0o600);
  const run = join(world.state, 'sessions', session.id, 'runs/1');
  expect(statSync(run).mode & 0o077).toBe(0);
  expect(statSync(join(run, 'output')).mode & 0o077).toBe(0);
  const kept =
    readFileSync(join(world.state, 'outlast.db'), 'latin1') +
    readFileSync(join(world.state, 'outlast.db-wal'), 'latin1');
  expect(kept).not.toContain('MY_SETTING');
});

test('a state folder that cannot be written is refused with a reason', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'outlast-ro-'));
  try {
    const state = join(outer, 'file');
    writeFileSync(state, 'a file, not a folder');
    const daemon = spawn(process.execPath, [DAEMON], {
      env: { ...process.env, OUTLAST_STATE: state },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    daemon.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise((resolve) => daemon.once('exit', resolve));
    expect(code).toBe(1);
    expect(stderr).toMatch(/cannot use the state folder/);
    expect(stderr).toMatch(/OUTLAST_STATE/);
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
});

test('an unreadable record holds its session; all others continue', async () => {
  await using world = await makeWorld();
  const bad = await world.client.start({ ...sh('sleep 1000'), name: 'bad' });
  const good = await world.client.start({ ...sh('read x; exit 3'), stdin: 'open' });
  await eventually(async () => (await bad.show()).session.pid && (await good.show()).session.pid);
  await world.kill();
  const db = new DatabaseSync(join(world.state, 'outlast.db'));
  db.exec(`UPDATE events SET body = '{"type":"run.opened"' WHERE session = '${bad.id}' AND seq = 3`);
  db.close();
  await world.start();
  const seen = await eventually(async () => {
    const { session } = await bad.show();
    return session.phase === 'held' && session;
  });
  expect(seen.held).toMatch(/unreadable at \d+/);
  await good.write({ eof: true });
  expect((await good.wait()).session.exit?.status).toBe(3);
  expect((await world.client.list()).sessions.length).toBe(2);
});

test('a daemon that is stopped leaves every session running', async () => {
  await using world = await makeWorld();
  const session = await world.client.start(sh('sleep 1000'));
  const pid = await eventually(async () => (await session.show()).session.pid);
  await world.client.stopDaemon();
  await eventually(
    () =>
      !existsSync(join(world.state, 'daemon.sock')) ||
      world.client.daemonStatus().then(
        () => false,
        () => true,
      ),
  );
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  await world.start();
  expect((await session.show()).session.pid).toBe(pid);
  await session.stop();
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

test('T-JOURNAL-8: the folder of a session that is not in the journal is left alone, and the log says so', async () => {
  await using world = await makeWorld();
  await world.kill();
  const orphan = join(world.state, 'sessions', '01m7f97ymse88rk4x1ak');
  mkdirSync(join(orphan, 'runs/1'), { recursive: true });
  appendFileSync(join(orphan, 'runs/1/surroundings'), '{}');
  await world.start();
  await eventually(() => world.log().includes('the journal does not know its session'));
  expect(existsSync(join(orphan, 'runs/1/surroundings'))).toBe(true);
  expect((await world.client.list()).sessions).toEqual([]);
});

test('a state folder that others may enter is made private', async () => {
  await using world = new World();
  chmodSync(world.state, 0o755);
  await world.start();
  expect(statSync(world.state).mode & 0o777).toBe(0o700);
});
