import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Clock, realClock } from '../../src/base/clock.ts';
import { connect } from '../../src/client/index.ts';
import { startDaemon } from '../../src/client/start-daemon.ts';
import { eventually } from '../eventually.ts';

// A daemon that takes the lock at once, and listens when a file appears.
const SLOW_DAEMON = `
import http from 'node:http'; import fs from 'node:fs';
const state = process.env.OUTLAST_STATE;
fs.appendFileSync(state + '/starts', process.pid + '\\n');
const start = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[19];
const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
try { fs.mkdirSync(state + '/lock'); } catch {
  console.error('outlast: a daemon has ' + state + '/lock already'); process.exit(75);
}
fs.writeFileSync(state + '/daemon.pid', process.pid + ' ' + start + ' ' + boot + '\\n');
process.once('SIGTERM', () => { fs.rmdirSync(state + '/lock'); process.exit(0); });
const looking = setInterval(() => {
  if (!fs.existsSync(state + '/go')) return;
  clearInterval(looking);
  // One that was killed leaves its own behind.
  fs.rmSync(state + '/daemon.sock', { force: true });
  http.createServer((q, r) => r.end(JSON.stringify({ pid: process.pid }))).listen(state + '/daemon.sock');
}, 10);
`;

let state: string;
let env: Record<string, string | undefined>;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'outlast-slow-'));
  const program = join(state, 'slow.mjs');
  writeFileSync(program, SLOW_DAEMON);
  env = { PATH: process.env.PATH, OUTLAST_DAEMON: program };
});

afterEach(async () => {
  // A daemon that has not recorded its start yet fails when the folder is gone.
  await eventually(() => {
    for (const pid of startsOf()) killQuietly(pid, 'SIGKILL');
    if (startsOf().some((pid) => existsSync(`/proc/${pid}/exe`))) return false;
    rmSync(state, { recursive: true, force: true });
    return !existsSync(state);
  });
});

function startsOf(): number[] {
  const file = join(state, 'starts');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

const owner = (): Promise<number> =>
  eventually(() => Number(readFileSync(join(state, 'daemon.pid'), 'utf8').split(' ')[0]), { msMax: 30_000 });

test('T-START-2: callers wait for a daemon that has the lock and is slow to start, and start no other', async () => {
  using first = connect({ state, env });
  const asked = first.daemonStatus();
  const pid = await owner();
  // It listens only after the others have looked for it several times.
  let looks = 0;
  const clock = realClock();
  const sleep: Clock['sleep'] = (ms, signal) => {
    looks += 1;
    if (looks === 30) writeFileSync(join(state, 'go'), '');
    return clock.sleep(ms, signal);
  };
  await Promise.all([1, 2].map(() => startDaemon({ state, env, clock: { ...clock, sleep } })));
  expect((await asked).pid).toBe(pid);
  using second = connect({ state, env });
  expect((await second.daemonStatus()).pid).toBe(pid);
  expect(startsOf()).toEqual([pid]);
});

test('T-START-2: when the daemon that had the lock exits without an error, the next one is started', async () => {
  using first = connect({ state, env });
  const asked = first.daemonStatus();
  const pid = await owner();
  using second = connect({ state, env });
  const other = second.daemonStatus();
  writeFileSync(join(state, 'go'), '');
  // Also when it listens by now: a client that loses it during a read asks again.
  killQuietly(pid, 'SIGTERM');
  const answers = await Promise.all([asked, other]);
  expect(startsOf()).toContain(answers[1]?.pid);
});

test('T-START-2: a daemon that is killed while it starts is started again', async () => {
  using client = connect({ state, env });
  const asked = client.daemonStatus();
  const pid = await owner();
  rmSync(join(state, 'lock'), { recursive: true });
  killQuietly(pid, 'SIGKILL');
  writeFileSync(join(state, 'go'), '');
  expect((await asked).pid).not.toBe(pid);
});
