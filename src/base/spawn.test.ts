import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { realClock } from './clock.ts';
import { run } from './spawn.ts';

const clock = realClock();
const world = { clock, env: { PATH: '/usr/bin:/bin' } };

test('a command gives its status and both outputs', async () => {
  const ran = await run(['sh', '-c', 'echo out; echo err >&2; exit 7'], world);
  expect(ran).toEqual({ end: 'exited', status: 7, stdout: Buffer.from('out\n'), stderr: 'err\n' });
});

test('a command ended by a signal has the status a shell reports', async () => {
  expect(await run(['sh', '-c', 'kill -9 $$'], world)).toMatchObject({ end: 'exited', status: 137 });
});

test('input arrives byte by byte, also more than a pipe holds', async () => {
  const input = Buffer.alloc(300_000, Uint8Array.of(0, 255, 10, 65));
  expect(await run(['cat'], { ...world, input })).toMatchObject({ end: 'exited', status: 0, stdout: input });
});

test('a command that does not read its input is not an error', async () => {
  const ran = await run(['sh', '-c', 'exec <&-; echo done'], { ...world, input: Buffer.alloc(300_000) });
  expect(ran).toMatchObject({ end: 'exited', status: 0, stdout: Buffer.from('done\n') });
});

test('a missing program is a result, not an error', async () => {
  expect(await run(['no-such-program-of-ours'], world)).toEqual({ end: 'unstarted', errno: 'ENOENT' });
  expect(await run(['cat'], { ...world, cwd: '/no/such/folder' })).toEqual({ end: 'unstarted', errno: 'ENOENT' });
});

test('arguments too long for the system are a result, not an error', async () => {
  expect(await run(['echo', 'x'.repeat(8_000_000)], world)).toEqual({ end: 'unstarted', errno: 'E2BIG' });
});

test('a command is killed at its deadline', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-spawn-'));
  try {
    const late = run(['sh', '-c', 'echo $$ >pid; exec sleep 100'], { ...world, cwd: folder, msMax: 1_000 });
    expect(await late).toEqual({ end: 'late' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await eventually(() => !isThere(pid));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a command that prints without end is killed at its byte cap', async () => {
  expect(await run(['yes'], { ...world, bytesMax: 100_000 })).toEqual({ end: 'flooded' });
});

test('nothing of our own environment is inherited', async () => {
  const ran = await run(['env'], { ...world, env: { PATH: '/usr/bin:/bin', ONLY: 'this' } });
  expect(ran.end === 'exited' && ran.stdout.toString().split('\n').sort()).toEqual([
    '',
    'ONLY=this',
    'PATH=/usr/bin:/bin',
  ]);
});
