import { spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markDamaged } from '../../src/daemon/journal/damaged-journal.ts';
import { makeWorld, type Ran, World } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

/** Runs the command line with its output going to a device that is always full. */
function intoFull(world: World, words: readonly string[]): Promise<Ran> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [BIN, ...words], { env: world.env, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout: '', stderr })));
}

test('T-ENOSPC-2: an output that cannot be written gives one line, whatever the command', async () => {
  await using world = await makeWorld();
  const asked = [['list'], ['list', '--json'], ['--help'], ['show', 'nope', '--json'], ['doctor', '--json']];
  for (const words of asked) {
    const ran = await intoFull(world, words);
    expect(ran.status).toBeGreaterThan(0);
    expect(ran.stderr).toMatch(/^outlast: cannot write the output: no space left on the disk \(ENOSPC\); .*\n$/);
  }
  const ran = await intoFull(world, ['exec', '--', 'echo', 'hello']);
  expect(ran.status).toBe(125);
  expect(ran.stderr).toMatch(/^outlast: cannot write the output: .*: outlast output \S+ --follow\n$/);
});

test('T-QUEUE-1: a command that waits for a slot says so, also when its caller leaves it', async () => {
  await using world = await makeWorld({ config: { runsMax: 1 } });
  const first = await world.client.start({ argv: ['sleep', '1000'] });
  const text = 'queued: all 1 slots for runs are in use';
  const left = await world.cli(['exec', '--yield', '50ms', '--', 'true']);
  expect(left.stderr).toContain(`outlast: warning: ${text}\n`);
  expect(left.stderr).toMatch(/Queued: \S+, waiting for a slot\. Follow: outlast output \S+ --follow\n$/);
  expect(left.stderr).not.toContain('Still running');
  const second = await world.client.start({ argv: ['true'] });
  expect(second.warnings).toEqual([text]);
  expect((await world.client.list({ phase: 'queued' })).sessions).toHaveLength(2);
  await first.stop({ graceMs: 0 });
  expect((await second.wait({ timeoutMs: 60_000 })).session.exit?.status).toBe(0);
  expect((await world.client.start({ argv: ['true'] })).warnings).toEqual([]);
});

async function doctor(world: World, env: NodeJS.ProcessEnv = {}) {
  const ran = await world.cli(['doctor', '--json'], { env });
  const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; ok: boolean; detail: string }[] };
  return { status: ran.status, check: (name: string) => checks.find((each) => each.name === name) };
}

test('T-DOCTOR-1: without a daemon doctor checks agents, disk space, and the state folder', async () => {
  await using world = new World();
  const bin = join(world.state, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 2.1.100\n');
  chmodSync(join(bin, 'claude'), 0o755);
  const old = await doctor(world, { PATH: `${bin}:${process.env.PATH}` });
  expect(old.check('claude')).toMatchObject({ ok: false, detail: expect.stringContaining('2.1.100 is too old') });
  expect(old.status).toBe(1);
  expect(old.check('daemon')?.detail).toContain('not running');
  expect(old.check('disk space')?.detail).toMatch(/^\d+ MB free$/);
  // A folder in which no other can be created, not even by root.
  const nowhere = await doctor(world, { OUTLAST_STATE: '/proc/nowhere/outlast' });
  expect(nowhere.check('state folder')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('cannot be created'),
  });
});

test('T-DOCTOR-4: the daemon finds damage of its journal, whichever caller asks', async () => {
  await using world = await makeWorld();
  const journal = async () => (await world.client.doctor({})).checks.find(({ name }) => name === 'journal');
  expect(await journal()).toMatchObject({ ok: true, detail: expect.stringContaining('outlast.db (0 backups') });
  markDamaged(world.state, 'a page is not what it was');
  const damaged = { ok: false, detail: expect.stringContaining('a page is not what it was') };
  expect(await journal()).toMatchObject(damaged);
  expect((await doctor(world)).check('journal')).toMatchObject(damaged);
});

test('T-DOCTOR-2: doctor finds a config that was edited and not read', async () => {
  await using world = await makeWorld({ config: { runsMax: 7 } });
  expect((await doctor(world)).check('config in use')).toMatchObject({ ok: true });
  writeFileSync(join(world.state, 'config.json'), '{"runsMax": 8}');
  const edited = (await doctor(world)).check('config in use');
  expect(edited).toMatchObject({ ok: false, detail: expect.stringContaining('was edited') });
  writeFileSync(join(world.state, 'config.json'), '{"runsMax": "many"}');
  const broken = (await doctor(world)).check('config in use');
  expect(broken).toMatchObject({ ok: false, detail: expect.stringContaining('would not start') });
});
