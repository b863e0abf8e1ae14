import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { callerProof } from '../../src/client/caller.ts';
import type { Session, SessionId } from '../../src/core/session.ts';
import { deciderOf, refuseOwn } from '../../src/daemon/owners/decider.ts';
import { procTable } from '../../src/terminal/process-table.ts';
import { identityOf } from '../../src/terminal/processes.ts';
import { LIVE, sessionAfter } from '../../src/testing/sessions.ts';
import { eventually } from '../eventually.ts';

const children: ChildProcess[] = [];
/** In their own process groups. */
const apart: number[] = [];
afterEach(() => {
  for (const child of children.splice(0)) if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  for (const pid of apart.splice(0)) process.kill(pid, 'SIGKILL');
});

const session: Session = { ...sessionAfter(LIVE), id: 's1' as SessionId };

/** A process with this environment that runs a shell line; returns the pid that the line prints. */
async function started(line: string, env: Record<string, string>): Promise<number> {
  const child = spawn('sh', ['-c', line], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const pid = Number(await eventually(() => /^\d+\n/.test(output) && output.trim()));
  if (procTable().row(pid)?.group === pid && pid !== child.pid) apart.push(-pid);
  return pid;
}

function decides(pid: number, run: string | null = null): boolean {
  const start = identityOf(pid)?.start ?? null;
  try {
    refuseOwn(deciderOf({ pid, start, run }), session);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'decider_refused' });
    return false;
  }
}

const here = 'echo $$; exec sleep 1000';
const inside = { OUTLAST_RUN: 's1.3' };

test('a caller outside the session decides, also from inside another one', async () => {
  expect(decides(await started(here, {}))).toBe(true);
  const pid = await started(here, { OUTLAST_RUN: 's2.1' });
  expect(decides(pid)).toBe(true);
  expect(deciderOf({ pid, start: identityOf(pid)?.start ?? null, run: null }).inside).toEqual(new Set(['s2']));
});

test.each([
  ['the agent itself', here],
  ['a child that took the mark off', 'sh -c "echo \\$\\$; exec env -u OUTLAST_RUN sleep 1000" & wait'],
  ['a grandchild with an empty environment', '(env -i /bin/sh -c "echo \\$\\$; sleep 1000; :") & wait'],
  ['a child in a session of its own', 'setsid env -i /bin/sh -c "echo \\$\\$; sleep 1000; :" & wait'],
  [
    'a child whose parent is gone, in the same group',
    // The one in the middle exits, so that it has no parent any more.
    'sh -c "env -i /bin/sh -c \'echo \\$\\$; sleep 1000; :\' &"; sleep 1000; :',
  ],
])('%s does not decide for its own session', async (_, line) => {
  expect(decides(await started(line, inside))).toBe(false);
});

test('a caller that claims to run inside a session counts as inside', async () => {
  expect(decides(await started(here, {}), 's1.3')).toBe(false);
});

test('no process, a process that is gone, and a reused pid decide nothing', async () => {
  const pid = await started(here, {});
  expect(() => deciderOf(undefined)).toThrow(/the deciding process is unknown/);
  expect(() => deciderOf({ pid, start: '1', run: null })).toThrow(/is not the caller/);
  const most = Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8'));
  expect(() => deciderOf({ pid: most + 1, start: null, run: null })).toThrow(/is not the caller/);
});

test('the client identifies itself as the kernel prints it', () => {
  const proof = callerProof({ OUTLAST_RUN: 's9.1' });
  expect(proof).toEqual({ pid: process.pid, start: identityOf(process.pid)?.start, run: 's9.1' });
});
