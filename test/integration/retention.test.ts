import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { type Actor, person } from '../../src/core/actor.ts';
import { fold } from '../../src/core/fold.ts';
import type { SessionId } from '../../src/core/session.ts';
import { type RetentionParts, startRetention } from '../../src/daemon/upkeep/retention.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { runFolder, sessionFolder } from '../../src/terminal/run-folder.ts';
import { eventually } from '../eventually.ts';
import { type Ended, putEnded } from './notice-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = 100 * DAY_MS;
const KEEP_ALL = { ageMsMax: 30 * DAY_MS, outputBytesMax: 1024 ** 3, everyMs: 3 * HOUR_MS };
const kilobytes = (count: number): string => 'x'.repeat(count * 1024);

test('what is older than the age is removed, with its folder', async () => {
  await using world = retentionWorld(KEEP_ALL);
  const old = world.put({ atMs: NOW_MS - 31 * DAY_MS });
  const young = world.put({ atMs: NOW_MS - 29 * DAY_MS });
  await world.sweepOnce();
  expect(world.removed).toEqual([`${old} by retention`]);
  expect([old, young].map(world.hasFolder)).toEqual([false, true]);
});

test('beyond the size the oldest go first, and no more than needed', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, outputBytesMax: 350 * 1024 });
  const middle = world.put({ atMs: NOW_MS - 2 * DAY_MS, output: kilobytes(100) });
  const oldest = world.put({ atMs: NOW_MS - 3 * DAY_MS, output: kilobytes(100) });
  const rest = [1, 2].map(() => world.put({ atMs: NOW_MS - DAY_MS, output: kilobytes(100) }));
  await world.sweepOnce();
  expect(world.removed).toEqual([`${oldest} by retention`]);
  expect([middle, ...rest].every(world.hasFolder)).toBe(true);
});

test.runIf(process.platform === 'linux')('what was freed from the beginning of an output is not counted', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, outputBytesMax: 350 * 1024 });
  const first = world.put({ atMs: NOW_MS - DAY_MS, output: kilobytes(1024) });
  execFileSync('fallocate', [
    '-p',
    '-o',
    '0',
    '-l',
    `${1000 * 1024}`,
    runFolder(world.state, { session: first, run: 1 }).output,
  ]);
  await world.sweepOnce();
  expect(world.removed).toEqual([]);
});

test('a live session is never removed, however old and large', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, ageMsMax: 0, outputBytesMax: 0 });
  const live = world.putLive();
  await world.sweepOnce();
  expect(world.removed).toEqual([]);
  expect(world.hasFolder(live)).toBe(true);
});

test('an end that was not delivered yet stays, and is removed later', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, ageMsMax: DAY_MS, outputBytesMax: 0 });
  const told = world.put({ atMs: NOW_MS - 3 * DAY_MS });
  const toldUpTo = world.journal.head();
  const untold = world.put({ atMs: NOW_MS - 2 * DAY_MS });
  await world.sweepOnce({ pending: (position) => position > toldUpTo });
  expect(world.removed).toEqual([`${told} by retention`]);
  await world.sweepOnce();
  expect(world.removed).toEqual([`${told} by retention`, `${untold} by retention`]);
});

test('a wall clock that jumped ahead removes nothing', async () => {
  await using world = retentionWorld(KEEP_ALL);
  world.put({ atMs: NOW_MS - 60 * DAY_MS, steadyMs: NOW_MS - DAY_MS });
  await world.sweepOnce();
  expect(world.removed).toEqual([]);
});

test('a session that cannot be removed does not affect the others', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, ageMsMax: DAY_MS });
  const [stuck, loose] = [3, 2].map((days) => world.put({ atMs: NOW_MS - days * DAY_MS }));
  const remove: RetentionParts['remove'] = async (id, by) => {
    if (id === stuck) throw new Error('permission denied');
    await world.remove(id, by);
  };
  await world.sweepOnce({ remove });
  expect(world.removed).toEqual([`${loose} by retention`]);
  expect(world.lines).toEqual([`retention: cannot remove ${stuck}: permission denied`]);
});

test('more sessions than one page of the list are all seen', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, ageMsMax: DAY_MS });
  for (let i = 0; i < 510; i += 1) world.put({ atMs: NOW_MS - 5 * DAY_MS + i });
  await world.sweepOnce();
  expect(world.removed).toHaveLength(510);
});

test('events of sessions that were removed long ago are purged, others are kept', async () => {
  await using world = retentionWorld(KEEP_ALL);
  const [old, young] = [31, 1].map((days) => world.put({ atMs: NOW_MS - days * DAY_MS }));
  for (const id of [old, young]) if (id) await world.remove(id, person('ann'));
  await world.sweepOnce();
  expect([old, young].map((id) => world.journal.session(id as SessionId).events.length > 0)).toEqual([false, true]);
});

test('retention repeats at an interval, and ends when it is stopped', async () => {
  await using world = retentionWorld({ ...KEEP_ALL, ageMsMax: DAY_MS });
  const retention = startRetention(world.parts());
  await eventually(() => world.sleeping());
  const old = world.put({ atMs: NOW_MS - 2 * DAY_MS });
  world.wakeAfter(HOUR_MS);
  await eventually(() => world.sleeping());
  expect(world.removed).toEqual([]);
  world.wakeAfter(2 * HOUR_MS);
  await eventually(() => world.removed.length > 0);
  expect(world.removed).toEqual([`${old} by retention`]);
  await eventually(() => world.sleeping());
  await retention.stop();
});

function retentionWorld(retention: RetentionParts['config']['retention']) {
  const state = mkdtempSync(join(tmpdir(), 'outlast-retention-'));
  const journal = memoryJournal();
  const lines: string[] = [];
  const removed: string[] = [];
  const { clock, sleeping, wakeAfter } = steppedClock();
  const remove = async (id: SessionId, by: Actor): Promise<void> => {
    const afterSeq = fold(journal.session(id).events)?.seq ?? 0;
    const events = [{ type: 'session.removed', by } as const];
    journal.append({ session: id, afterSeq, events, cause: null, atMs: clock.wallMs(), steadyMs: clock.steadyMs() });
    rmSync(sessionFolder(state, id), { recursive: true });
    if (by.is === 'policy') removed.push(`${id} by ${by.bound}`);
  };
  const parts = (rest: Partial<RetentionParts> = {}): RetentionParts => {
    const log = (line: string) => void lines.push(line);
    return { journal, clock, config: { retention }, state, remove, pending: () => false, log, ...rest };
  };
  return {
    state,
    journal,
    lines,
    removed,
    remove,
    parts,
    sleeping,
    wakeAfter,
    put: (ended: Ended) => putEnded(journal, state, ended),
    putLive(): SessionId {
      const other = memoryJournal();
      const id = putEnded(other, state, { output: kilobytes(100) });
      const events = other
        .session(id)
        .events.slice(0, -2)
        .map((event) => event.body);
      journal.append({ session: id, afterSeq: 0, events, cause: null, atMs: 0, steadyMs: 0 });
      return id;
    },
    hasFolder: (id: SessionId) => existsSync(sessionFolder(state, id)),
    async sweepOnce(rest: Partial<RetentionParts> = {}) {
      const started = startRetention(parts(rest));
      await eventually(sleeping);
      await started.stop();
    },
    async [Symbol.asyncDispose]() {
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Time stands still until a test moves it. */
function steppedClock() {
  let passedMs = 0;
  let wake: (() => void) | null = null;
  const stir = (): void => {
    wake?.();
    wake = null;
  };
  const clock: Clock = {
    wallMs: () => NOW_MS + passedMs,
    steadyMs: () => NOW_MS + passedMs,
    sleep: (_, signal) =>
      new Promise((resolve) => {
        wake = resolve;
        signal?.addEventListener('abort', stir, { once: true });
      }),
  };
  const wakeAfter = (ms: number): void => {
    passedMs += ms;
    stir();
  };
  return { clock, sleeping: () => wake !== null, wakeAfter };
}
