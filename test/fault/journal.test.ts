import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type World } from '../world.ts';

const sh = (line: string): { argv: string[] } => ({ argv: ['sh', '-c', line] });
const WAITS = { ...sh('echo begun; read x; echo got $x; exit 3'), stdin: 'open' } as const;

interface Scene {
  readonly done: Session;
  readonly running: Session;
  readonly queued: Session;
}

const ran = (world: World): string => join(world.state, 'ran');

/** An ended session, a running one, and a queued one. */
async function scene(world: World): Promise<Scene> {
  const done = await world.client.start({ ...sh('echo result; exit 4'), name: 'done' });
  await done.wait();
  const running = await world.client.start({ ...WAITS, name: 'running' });
  await running.wait({ for: 'text:begun', since: 0 });
  const queued = await world.client.start({ ...sh(`echo once >> '${ran(world)}'`), name: 'queued' });
  return { done, running, queued };
}

/** All sessions are back: nothing was deleted, and nothing was started twice. */
async function expectRecovered(world: World, { done, running, queued }: Scene): Promise<void> {
  const seen = (await done.show()).session;
  expect([seen.id, seen.phase, seen.exit?.status]).toEqual([done.id, 'ended', 4]);
  expect((await done.output({})).text).toContain('result');
  await running.write({ base64: Buffer.from('you\n').toString('base64') });
  expect((await running.wait({ timeoutMs: 60_000 })).session.exit?.status).toBe(3);
  expect((await running.output({})).text).toContain('got you');
  // A slot is free now, but the queued session is not started automatically.
  const held = await eventually(async () => {
    const { session } = await queued.show();
    return session.phase === 'held' && session;
  });
  expect(held).toMatchObject({ hold: { kind: 'journal', helps: 'resume' }, run: 0 });
  expect(existsSync(ran(world))).toBe(false);
  const resumed = await world.cli(['resume', 'queued']);
  expect([resumed.status, resumed.stderr]).toEqual([0, '']);
  expect((await queued.wait({ timeoutMs: 60_000 })).session.exit?.status).toBe(0);
  expect(readFileSync(ran(world), 'utf8')).toBe('once\n');
}

const db = (world: World): string => join(world.state, 'outlast.db');
const remove = (world: World): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(db(world) + end, { force: true });
};

const LOSSES: [string, (world: World) => void][] = [
  ['deleted', remove],
  ['emptied', (world) => truncateSync(db(world), 0)],
];

test.each(LOSSES)(
  'T-JOURNAL-1: after the journal was %s, all sessions are recovered',
  { timeout: 180_000 },
  async (_, lose) => {
    await using world = await makeWorld({ config: { runsMax: 1 } });
    const all = await scene(world);
    const { after } = await world.client.daemonStatus();
    await world.kill();
    lose(world);
    await world.start();
    await expectRecovered(world, all);
    // T-JOURNAL-12: a cursor of the old journal is refused.
    const foreign = await world.cli(['events', '--after', after]);
    expect([foreign.status, foreign.stderr]).toEqual([4, expect.stringContaining('of another journal')]);
    expect((await world.cli(['events', '--after', '1', '--limit', '1'])).status).toBe(0);
  },
);

/** Overwrites everything after the first page, as a bad disk would. */
function damage(path: string): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, Buffer.alloc(statSync(path).size - 4096, 0xa5), 0, null, 4096);
  } finally {
    closeSync(file);
  }
}

/** Moves the whole journal from the write-ahead log into its file. */
async function settled(world: World): Promise<void> {
  await world.client.stopDaemon();
  await eventually(() => !existsSync(`${db(world)}-wal`), { what: 'the end of the daemon' });
}

test('T-JOURNAL-9: doctor reports damage after the first page, and the next daemon repairs it', async () => {
  await using world = await makeWorld({ config: { runsMax: 1 } });
  const all = await scene(world);
  await settled(world);
  damage(db(world));
  const doctor = await world.cli(['doctor']);
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toMatch(/FAIL journal: .*outlast\.db is damaged: /);
  expect(doctor.stdout).toContain('outlast state repair');
  await eventually(() => world.start(), { what: 'a daemon that stays', msMax: 120_000 });
  await expectRecovered(world, all);
  expect((await world.cli(['state', 'check'])).status).toBe(0);
  expect(readdirSync(join(world.state, 'damaged'))).not.toEqual([]);
}, 240_000);

test('T-JOURNAL-10: a daemon whose write-ahead log is deleted exits with a reason, and nothing is lost', async () => {
  await using world = await makeWorld({ config: { runsMax: 1 } });
  const all = await scene(world);
  rmSync(`${db(world)}-wal`);
  await eventually(() => existsSync(`${db(world)}.damage`), { what: 'a daemon that notices', msMax: 60_000 });
  expect(existsSync(`${db(world)}.saved`)).toBe(true);
  await world.kill();
  expect(world.printed()).toContain('was deleted or replaced while the daemon used it');
  await world.start();
  await expectRecovered(world, all);
}, 240_000);

test('T-JOURNAL-11: the journal is checked, backed up, restored and repaired by hand', async () => {
  await using world = await makeWorld({ config: { runsMax: 1 } });
  const none = await world.cli(['state', 'backup'], { env: { OUTLAST_STATE: join(world.state, 'empty') } });
  expect([none.status, none.stderr]).toEqual([2, expect.stringContaining('there is nothing to back up')]);
  const all = await scene(world);
  const file = join(world.state, 'my.db');
  expect(await world.cli(['state', 'backup', file])).toMatchObject({ status: 0, stdout: `${file}\n` });
  const refused = await world.cli(['state', 'restore', file]);
  expect(refused).toMatchObject({ status: 75, stderr: expect.stringContaining('outlast daemon stop') });
  const before = JSON.parse((await world.cli(['state', 'check', '--json'])).stdout);
  await settled(world);
  expect(await world.cli(['state', 'restore', file])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/3 sessions, 2 of them live/),
  });
  const wrong = await world.cli(['state', 'restore', join(world.state, 'daemon.log')]);
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('cannot restore')]);
  expect((await world.cli(['state', 'repair'])).status).toBe(0);
  const after = JSON.parse((await world.cli(['state', 'check', '--json'])).stdout);
  expect(after).toMatchObject({ ok: true, problems: [], unknown: [] });
  expect(after.journal).not.toBe(before.journal);
  expect(after.aside).toHaveLength(2);
  await world.start();
  await expectRecovered(world, all);
}, 240_000);
