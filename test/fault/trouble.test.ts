import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

const sh = (line: string): { argv: string[] } => ({ argv: ['sh', '-c', line] });
const STUBBORN = "trap '' TERM HUP; echo up; while :; do sleep 0.1; done";

async function stubborn(world: World): Promise<Session> {
  const session = await world.client.start(sh(STUBBORN));
  await session.wait({ for: 'text:up', since: 0 });
  return session;
}

/** Damages the journal while no daemon has it open. */
async function damage(world: World, sql: string): Promise<void> {
  await world.kill();
  const db = new DatabaseSync(join(world.state, 'outlast.db'));
  db.exec(sql);
  db.close();
  await world.start();
}

const startWaiting = async (world: World): Promise<Session> => {
  const session = await world.client.start({ ...sh('read x; exit 3'), stdin: 'open' });
  await eventually(async () => (await session.show()).session.pid);
  return session;
};

const expectNormalEnd = async (session: Session): Promise<void> => {
  await session.write({ eof: true });
  expect((await session.wait()).session.exit?.status).toBe(3);
};

test('an unreadable record of a foreground session does not keep the daemon from starting', async () => {
  await using world = await makeWorld();
  const bad = await world.client.start({ ...sh('sleep 1000'), background: false });
  const good = await startWaiting(world);
  await eventually(async () => (await bad.show()).session.pid);
  await damage(world, `UPDATE events SET crc = 1 WHERE session = '${bad.id}' AND seq = 2`);
  expect((await eventually(async () => (await bad.show()).session)).phase).toBe('held');
  await expectNormalEnd(good);
});

test('an event type of a newer version holds its session, and no other', async () => {
  await using world = await makeWorld();
  const bad = await startWaiting(world);
  const good = await startWaiting(world);
  const body = '{"type":"session.teleported","to":"mars"}';
  const set = `body = '${body}', crc = ${crc32(body)}`;
  await damage(world, `UPDATE events SET ${set} WHERE session = '${bad.id}' AND seq = 3`);
  await eventually(async () => (await bad.show()).session.phase === 'held');
  await expectNormalEnd(good);
  const types = await world.events(good.id);
  expect(types.at(-1)).toBe('session.ended');
});

test('an unreadable row of the projection is rebuilt from the events', async () => {
  await using world = await makeWorld();
  const session = await startWaiting(world);
  await damage(world, `UPDATE sessions SET state = '{"id":' WHERE id = '${session.id}'`);
  expect((await world.client.list()).sessions.map(({ id }) => id)).toEqual([session.id]);
  await expectNormalEnd(session);
});

test('reading events ends even if the last one is unreadable', async () => {
  await using world = await makeWorld();
  const session = await startWaiting(world);
  await expectNormalEnd(session);
  await damage(world, 'UPDATE events SET crc = 1 WHERE position = (SELECT max(position) FROM events)');
  const seen: string[] = [];
  for await (const event of world.client.events()) seen.push(event.event);
  expect(seen).toContain('run.ended');
});

test('a daemon that is stopped does not wait for a session that is being ended', async () => {
  await using world = await makeWorld();
  const session = await stubborn(world);
  await session.stop({ graceMs: 60_000, wait: false });
  await world.client.stopDaemon();
  // A second daemon exits with 75 as long as the first one has the lock.
  await eventually(() => world.start(2_000), { msMax: 10_000, what: 'a new daemon' });
  expect((await session.show()).session.phase).toBe('closing');
  expect((await session.stop({ graceMs: 0 })).session.phase).toBe('ended');
});

test('a stop with a shorter grace period overrides a longer one', async () => {
  await using world = await makeWorld();
  const session = await stubborn(world);
  await session.stop({ graceMs: 60_000, wait: false });
  const { session: ended } = await session.stop({ graceMs: 0, by: 'somebody else' });
  expect(ended.phase).toBe('ended');
  expect(ended.outcome).toEqual({ kind: 'stopped', by: 'caller' });
});

test('after a restart no session waits for one that is being ended', { timeout: 60_000 }, async () => {
  await using world = await makeWorld();
  const slow = await stubborn(world);
  const others = await Promise.all(Array.from({ length: 40 }, () => world.client.start({ argv: ['sleep', '1000'] })));
  const last = others.at(-1);
  const pid = await eventually(async () => (await last?.show())?.session.pid);
  await slow.stop({ graceMs: 60_000, wait: false });
  await world.restart();
  process.kill(pid, 'SIGKILL');
  expect((await last?.wait({ timeoutMs: 30_000 }))?.met).toBe('exit');
  await Promise.all([slow, ...others].map((session) => session.stop({ graceMs: 0 })));
});

test('there are no more runs than the config allows, even if many sessions wait for the same slot', async () => {
  await using world = await makeWorld({ config: { runsMax: 1 } });
  const first = await startWaiting(world);
  const waiting = await Promise.all(Array.from({ length: 5 }, () => world.client.start({ argv: ['sleep', '1000'] })));
  const running = async (): Promise<number> => {
    const { sessions } = await world.client.list({ state: 'live' });
    return sessions.filter(({ phase }) => phase !== 'queued').length;
  };
  expect(await running()).toBe(1);
  await expectNormalEnd(first);
  await eventually(async () => (await running()) > 0);
  for (const _ of waiting) {
    expect(await running()).toBe(1);
    const live = (await world.client.list({ state: 'live' })).sessions.find(({ phase }) => phase !== 'queued');
    await world.client.stop({ session: live?.id ?? '', graceMs: 0 });
    await eventually(
      async () => (await running()) === 1 || (await world.client.list({ state: 'live' })).sessions.length === 0,
    );
  }
});

test('a separate stderr is capped, too', async () => {
  await using world = await makeWorld();
  const line = 'seq 1 400000 >&2; echo done; read x';
  const session = await world.client.start({ ...sh(line), split: true, stdin: 'open', outputBytesMax: 65_536 });
  await session.wait({ for: 'text:done', since: 0 });
  const page = await eventually(async () => {
    const seen = await session.output({ stream: 'stderr', from: 0, bytes: 10 });
    return seen.droppedBytes > 0 && seen;
  });
  expect(page.end - page.droppedBytes).toBeLessThanOrEqual(65_536);
  await session.stop({ graceMs: 0 });
});

test('a folder that a removal left behind is removed by the next daemon', async () => {
  await using world = await makeWorld();
  const session = await startWaiting(world);
  await expectNormalEnd(session);
  await world.kill();
  const db = new DatabaseSync(join(world.state, 'outlast.db'));
  const body = '{"type":"session.removed","by":"a daemon that died"}';
  const seq = Number(db.prepare('SELECT max(seq) AS n FROM events WHERE session = ?').get(session.id)?.n) + 1;
  const sql = 'INSERT INTO events (session, seq, at_ms, steady_ms, cause, body, crc) VALUES (?, ?, 0, 0, NULL, ?, ?)';
  db.prepare(sql).run(session.id, seq, body, crc32(body));
  db.exec(`UPDATE sessions SET removed = 1, state = '?' WHERE id = '${session.id}'`);
  db.close();
  await world.start();
  const { existsSync } = await import('node:fs');
  await eventually(() => !existsSync(join(world.state, 'sessions', session.id)));
});

test('a name that has the form of an id is refused', async () => {
  await using world = await makeWorld();
  const named = world.client.start({ ...sh('true'), name: '01m7f97ymse88rk4x1ak' });
  await expect(named).rejects.toMatchObject({ code: 'input_invalid' });
});
