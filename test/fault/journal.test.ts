import { rmSync, truncateSync } from 'node:fs';
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

/** One that is over, one that runs, and one that waits for its place. */
async function scene(world: World): Promise<Scene> {
  const done = await world.client.start({ ...sh('echo result; exit 4'), name: 'done' });
  await done.wait();
  const running = await world.client.start({ ...WAITS, name: 'running' });
  await running.wait({ for: 'text:begun', since: 0 });
  const queued = await world.client.start({ ...sh('echo once >> "$OUTLAST_STATE/ran"'), name: 'queued' });
  return { done, running, queued };
}

/** Everything is there again: nothing was deleted, started, or done twice. */
async function expectRecovered(world: World, { done, running, queued }: Scene): Promise<void> {
  const seen = (await done.show()).session;
  expect([seen.id, seen.phase, seen.exit?.status]).toEqual([done.id, 'ended', 4]);
  expect((await done.output({})).text).toContain('result');
  await running.write({ base64: Buffer.from('you\n').toString('base64') });
  expect((await running.wait({ timeoutMs: 60_000 })).session.exit?.status).toBe(3);
  expect((await running.output({})).text).toContain('got you');
  // There is a place for it now, and it is not started by itself.
  const held = await eventually(async () => {
    const { session } = await queued.show();
    return session.phase === 'held' && session;
  });
  expect(held).toMatchObject({ hold: { kind: 'journal', helps: 'resume' }, run: 0 });
  const resumed = await world.cli(['resume', 'queued']);
  expect([resumed.status, resumed.stderr]).toEqual([0, '']);
  expect((await queued.wait({ timeoutMs: 60_000 })).session.exit?.status).toBe(0);
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
  'T-JOURNAL-1: a journal that was %s costs nothing but itself',
  { timeout: 180_000 },
  async (_, lose) => {
    await using world = await makeWorld({ config: { runsMax: 1 } });
    const all = await scene(world);
    await world.kill();
    lose(world);
    await world.start();
    await expectRecovered(world, all);
  },
);
