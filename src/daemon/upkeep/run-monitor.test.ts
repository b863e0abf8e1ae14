import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realClock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import { fold } from '../../core/fold.ts';
import type { Session, SessionId, TerminalKind } from '../../core/session.ts';
import { eventsOf } from '../../journal/project.ts';
import { identityOf } from '../../terminal/processes.ts';
import { type RunFolder, runFolder } from '../../terminal/run-folder.ts';
import { fileCalls } from '../../testing/file-calls.ts';
import { COMMAND_SPEC } from '../../testing/spec.ts';
import { startRunMonitor } from './run-monitor.ts';

/** A session whose command runs, according to its folder. */
function running(state: string, terminal: TerminalKind): { session: Session; files: RunFolder } {
  const id = newId(1_700_000_000_000) as SessionId;
  const events = [
    { type: 'session.created', spec: { ...COMMAND_SPEC, terminal } },
    { type: 'run.starting', run: 1, how: 'launch', boot: 'now' },
    { type: 'run.opened', run: 1, pid: process.pid },
  ] as const;
  const session = fold(eventsOf({ session: id, afterSeq: 0, events, cause: null, atMs: 1, steadyMs: 1 }));
  if (session === null) throw new Error('the session was not created');
  const files = runFolder(state, { session: id, run: 1 });
  mkdirSync(files.folder, { recursive: true });
  const me = identityOf(process.pid);
  writeFileSync(files.launcher, `${me?.pid} ${me?.start} ${me?.boot}\n`);
  writeFileSync(files.output, 'abc');
  return { session, files };
}

/** Checks a session this many times. Returns how often it was nudged, and which files were accessed. */
async function monitored(terminal: TerminalKind, checks: number, change: (files: RunFolder) => void = () => {}) {
  const state = mkdtempSync(join(tmpdir(), 'outlast-monitor-'));
  try {
    const { session, files } = running(state, terminal);
    change(files);
    let nudges = 0;
    const calls = await fileCalls(async () => {
      const done = Promise.withResolvers<void>();
      let rest = checks;
      // The last check sleeps until it is stopped.
      const sleep = (_: number, signal?: AbortSignal): Promise<void> => {
        rest -= 1;
        if (rest > 0) return Promise.resolve();
        done.resolve();
        return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()));
      };
      const monitor = startRunMonitor({
        clock: { ...realClock(), sleep },
        state,
        log: () => {},
        over: () => {},
        live: () => [session],
        nudge: () => {
          nudges += 1;
        },
      });
      await done.promise;
      await monitor.stop();
    });
    return { nudges, calls };
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

test.for(['pipe', 'pty', 'tmux'] as const)(
  'a healthy run in a %s costs few file accesses, and is not nudged',
  async (kind) => {
    const { nudges, calls } = await monitored(kind, 10);
    expect(nudges).toBe(0);
    // The identities of its processes are read only at the first check.
    const { output, torn = 0, ...once } = calls;
    expect({ output, torn }).toEqual({ output: 10, torn: kind === 'tmux' ? 10 : 0 });
    expect(once).toEqual({ launcher: 2, command: 1, keeper: 1, holder: 1 });
  },
);

test('a run whose launcher is gone is nudged', async () => {
  const { nudges } = await monitored('pipe', 1, ({ launcher }) => writeFileSync(launcher, '4194304 1 now\n'));
  expect(nudges).toBe(1);
});

test('a tmux whose sink was replaced is nudged', async () => {
  const { nudges } = await monitored('tmux', 1, ({ torn }) => writeFileSync(torn, ''));
  expect(nudges).toBe(1);
});
