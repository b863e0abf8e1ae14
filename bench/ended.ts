// Ten thousand ended sessions in the journal, and runs of other state folders on the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../src/base/ids.ts';
import type { InputId } from '../src/core/event.ts';
import type { SessionId, Spec } from '../src/core/session.ts';
import { sqliteJournal } from '../src/journal/sqlite.ts';
import { COMMAND_SPEC } from '../src/testing/spec.ts';
import { World } from '../test/world.ts';
import { cpuMs, ms, percentile, report, share, timeMs, times } from './measure.ts';

const ENDED = share(10_000);
const FOREIGN = 300;
const TRIES = share(100);
/** More CPU in a second than this is not idling. */
const BUSY_MS = 50;
const FOLLOWERS = ['mirror', 'wakes'];

/** A start by name, an unknown name, and a cold start beside the runs of others. */
export async function ended(): Promise<void> {
  const few = await named(10);
  const many = await named(ENDED);
  const count = ENDED.toLocaleString('en');
  const tell = (name: string, [at, one]: readonly [many: number, few: number], msMax: number): void =>
    report(
      `${name}, ${count} ended / 10 ended`,
      `${times(at / one)} (${ms(at)} / ${ms(one)})`,
      `<= ${msMax} ms`,
      at <= msMax,
    );
  tell('exec of true with a name', [many.startMs, few.startMs], 20);
  tell('lookup of an unknown name', [many.unknownMs, few.unknownMs], 5);
  await coldStart(count);
}

async function named(count: number): Promise<{ startMs: number; unknownMs: number }> {
  await using world = new World();
  writeEnded(world.state, count);
  await settled(await world.start(60_000));
  const starts: number[] = [];
  const unknown: number[] = [];
  for (let i = 0; i < TRIES; i += 1) {
    starts.push(await timeMs(() => world.client.exec({ argv: ['true'], name: `named-${i}` })));
    unknown.push(
      await timeMs(() =>
        world.client
          .session(`unknown-${i}`)
          .show()
          .catch(() => {}),
      ),
    );
  }
  return { startMs: percentile(starts, 50), unknownMs: percentile(unknown, 50) };
}

/** Waits until the daemon is nearly idle: what it does once at its start is not measured here. */
async function settled(daemon: number): Promise<void> {
  for (let before = -1, now = cpuMs(daemon); now - before > BUSY_MS; now = cpuMs(daemon)) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

/** From nothing to the first answer, which does not wait for the daemon's other work. */
async function coldStart(count: string): Promise<void> {
  await using world = new World();
  writeEnded(world.state, ENDED);
  using _foreign = foreignRuns();
  const answered = await timeMs(() => world.start(180_000));
  const execMs = await timeMs(() => world.client.exec({ argv: ['true'] }));
  const name = `cold start at ${count} ended beside ${FOREIGN} foreign runs`;
  report(`${name} -> it answers`, ms(answered), '<= 3000 ms', answered <= 3_000);
  report(`${name} -> the first command is done`, ms(answered + execMs), '<= 3000 ms', answered + execMs <= 3_000);
}

/** Processes with run markers of another state folder. */
function foreignRuns() {
  const state = mkdtempSync(join(tmpdir(), 'outlast-foreign-'));
  const start = (): ChildProcess => {
    const env = { PATH: process.env.PATH, OUTLAST_RUN: `${newId(Date.now())}.1`, OUTLAST_STATE: state };
    return spawn('sleep', ['100000'], { env, stdio: 'ignore' });
  };
  const children = Array.from({ length: FOREIGN }, start);
  return {
    [Symbol.dispose]: () => {
      for (const child of children) child.kill('SIGKILL');
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Fills the journal of a state folder that has no daemon yet. */
export function writeEnded(state: string, count: number): void {
  const journal = sqliteJournal(join(state, 'outlast.db'));
  for (let i = 0; i < count; i += 1) {
    const spec: Spec = { ...COMMAND_SPEC, name: `past-${i}`, notify: 'never' };
    journal.append({
      session: newId(1_700_000_000_000 + i) as SessionId,
      afterSeq: 0,
      events: [
        { type: 'session.created', spec },
        { type: 'run.starting', run: 1, how: 'launch', boot: 'bench' },
        { type: 'run.opened', run: 1, pid: 0 },
        { type: 'run.ended', run: 1, exit: { status: 0 }, outputBytes: 0, complete: true },
        { type: 'session.ended', outcome: { kind: 'done', exit: { status: 0 } } },
      ],
      cause: `bench-${i}` as InputId,
      atMs: Date.now(),
      steadyMs: i,
    });
  }
  // Followers of the journal have seen it all, as on a host where these sessions really ran.
  for (const reader of FOLLOWERS) journal.saveCursor(reader, journal.head());
  journal.close();
}
