import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventBody } from '../../src/core/event.ts';
import type { TerminalSnapshot } from '../../src/core/snapshot.ts';
import { StrayProcesses } from '../../src/supervisor/stray-processes.ts';
import { sharedTable, tableReads } from '../../src/terminal/process-table.ts';
import { LIVE, READY, sessionAfter } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';

const DEAD: TerminalSnapshot = {
  is: 'dead',
  exit: { status: 137 },
  outputBytes: 0,
  drained: true,
  exitAgeMs: 0,
  failed: null,
};
const FAULTED: EventBody = {
  type: 'run.faulted',
  run: 1,
  fault: { kind: 'exited', exit: { status: 137 } },
  retryAtMs: 0,
};

/** A process with the marker of the first run of these tests' session; it dies with the test. */
function orphan() {
  const child = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, OUTLAST_RUN: 's1.1' }, stdio: 'ignore' });
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

function place() {
  const state = mkdtempSync(join(tmpdir(), 'outlast-left-'));
  return { state, [Symbol.dispose]: () => rmSync(state, { recursive: true, force: true }) };
}

test('a process table that was read before the end of a run does not prove that no process is left', () => {
  using here = place();
  const left = new StrayProcesses(here.state);
  sharedTable().rows();
  // What the agent starts last, right before it dies.
  using _orphan = orphan();
  expect(left.count(sessionAfter(LIVE, ...READY), DEAD)).toBe(0);
  expect(left.count(sessionAfter(LIVE, ...READY, FAULTED), DEAD)).toBe(1);
});

test('after that the table is shared as long as it is fresh', async () => {
  using here = place();
  const left = new StrayProcesses(here.state);
  left.count(sessionAfter(LIVE, ...READY), DEAD);
  const recovering = sessionAfter(LIVE, ...READY, FAULTED);
  await eventually(() => {
    const before = tableReads();
    for (let i = 0; i < 3; i += 1) left.count(recovering, DEAD);
    return tableReads() - before < 3;
  });
});

test('processes that are gone are not counted, and nothing is while the run lives or no caller asks', async () => {
  using here = place();
  const left = new StrayProcesses(here.state);
  const recovering = sessionAfter(LIVE, ...READY, FAULTED);
  {
    using _orphan = orphan();
    const alive: TerminalSnapshot = { is: 'alive', pid: 7, quietMs: 0, outputBytes: 0, sink: 'ok' };
    expect(left.count(recovering, alive)).toBe(0);
    expect(left.count(sessionAfter(LIVE, ...READY), DEAD)).toBe(0);
    expect(left.count(recovering, DEAD)).toBe(1);
  }
  await eventually(() => left.count(recovering, DEAD) === 0);
});
