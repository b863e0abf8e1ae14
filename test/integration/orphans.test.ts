import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import type { EventBody } from '../../src/core/event.ts';
import type { Session } from '../../src/core/session.ts';
import { startOrphans } from '../../src/daemon/upkeep/orphans.ts';
import { type ProcessTable, procTable } from '../../src/terminal/process-table.ts';
import { identityOf, isAlive } from '../../src/terminal/processes.ts';
import { LIVE, READY, sessionAfter } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';

const ENDED: EventBody = { type: 'session.ended', outcome: { kind: 'stopped', by: { is: 'program', name: 'caller' } } };
const clock = realClock();

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'outlast-orphans-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** An ended session of an agent, with its own id. */
function endedSession(): Session {
  return { ...sessionAfter(LIVE, ...READY, ENDED), id: newId(clock.wallMs()) as Session['id'] };
}

/** A process that such a session left running; it dies with the test. */
function left(session: Session, env: Record<string, string>) {
  const child = spawn('sleep', ['600'], {
    env: { PATH: process.env.PATH, OUTLAST_RUN: `${session.id}.1`, ...env },
    stdio: 'ignore',
  });
  const identity = identityOf(child.pid ?? 0);
  if (identity === null) throw new Error('sleep did not start');
  return { isAlive: () => isAlive(identity), [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** Sweeps until the candidates have been checked twice. */
async function sweep(state: string, session: Session, table: ProcessTable): Promise<string[]> {
  const asked: string[] = [];
  let sweeps = 0;
  const counted: ProcessTable = {
    ...table,
    pieces: () => {
      sweeps += 1;
      return table.pieces();
    },
  };
  const find = (id: string): Session | null => {
    asked.push(id);
    return id === session.id ? session : null;
  };
  const orphans = startOrphans({ state, find, clock, log: () => {}, everyMs: 1, table: counted });
  await eventually(() => sweeps >= 3);
  await orphans.stop();
  return asked;
}

test('T-SPEED-2: a process with a run marker of another state folder is neither looked up nor ended', async () => {
  using ours = folder();
  using theirs = folder();
  const session = endedSession();
  // A copy of the state folder has the same sessions.
  using foreign = left(session, { OUTLAST_STATE: theirs.path });
  using gone = left(session, { OUTLAST_STATE: join(theirs.path, 'gone') });
  const asked = await sweep(ours.path, session, procTable());
  expect(asked).not.toContain(session.id);
  expect([foreign.isAlive(), gone.isAlive()]).toEqual([true, true]);
});

test('T-SPEED-2: stray processes of our sessions are ended, also under another name of our folder', async () => {
  using ours = folder();
  using links = folder();
  symlinkSync(ours.path, join(links.path, 'link'));
  const session = endedSession();
  using own = left(session, { OUTLAST_STATE: ours.path });
  using linked = left(session, { OUTLAST_STATE: join(links.path, 'link') });
  using plain = left(session, {});
  await sweep(ours.path, session, procTable());
  await eventually(() => !own.isAlive() && !linked.isAlive() && !plain.isAlive());
});

/** A machine with this many processes, all of another state folder. */
function busyMachine(count: number, foreign: string): ProcessTable {
  const pids = Array.from({ length: count }, (_, i) => 1_000_000 + i);
  const per = 32;
  return {
    boot: () => 'now',
    row: () => null,
    rows: () => [],
    markers: (among) => new Map(among.map((pid) => [pid, `${newId(pid)}.1`])),
    states: (among) => new Map(among.map((pid) => [pid, foreign])),
    pieces: () => Array.from({ length: count / per }, (_, i) => pids.slice(i * per, (i + 1) * per)),
    words: () => '',
  };
}

test('T-SPEED-2: a sweep of a busy machine lets other work run after every few processes', async () => {
  using ours = folder();
  using theirs = folder();
  const table = busyMachine(320, theirs.path);
  let [turns, looks, looksAtOnce, atOnceMax] = [0, 0, 0, 0];
  const counted: ProcessTable = {
    ...table,
    markers: (pids) => {
      looks += pids.length;
      looksAtOnce += pids.length;
      atOnceMax = Math.max(atOnceMax, looksAtOnce);
      return table.markers(pids);
    },
  };
  const count = (): void => {
    turns += 1;
    looksAtOnce = 0;
    if (looks < 320) setImmediate(count);
  };
  setImmediate(count);
  const find = (): Session | null => {
    throw new Error('a mark of another state folder is looked up');
  };
  const orphans = startOrphans({ state: ours.path, find, clock, log: () => {}, table: counted });
  await eventually(() => looks >= 320);
  await orphans.stop();
  expect(atOnceMax).toBe(32);
  expect(turns).toBeGreaterThanOrEqual(10);
});
