import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { VERSION } from '../../src/agent/claude/stand-in/places.ts';
import { makeWorld } from '../world.ts';

const world = await makeWorld();
const root = mkdtempSync(join(tmpdir(), 'ol-doctor-'));
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

/** The result of doctor for a `claude` that is this shell script. */
async function doctorCheck(
  name: string,
  script: string,
): Promise<{ ok: boolean; detail: string; hint?: string | undefined }> {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'claude'), 0o755);
  const { checks } = await world.client.doctor({ path: `${folder}:${dirname(process.execPath)}:/usr/bin:/bin` });
  const check = checks.find((one) => one.name === 'claude');
  if (check === undefined) throw new Error('the doctor says nothing of claude');
  return check;
}

test('an agent whose hooks reach the daemon passes, and its probe leaves nothing behind', async () => {
  const scripted = join(import.meta.dirname, '../../dist/scripted.js');
  const check = await doctorCheck('well', `exec '${process.execPath}' '${scripted}' "$@"`);
  expect(check).toMatchObject({ ok: true, detail: expect.stringContaining('its hooks work') });
  expect(readdirSync(world.state).filter((name) => name.startsWith('hook-probe'))).toEqual([]);
  expect(existsSync(join(root, '.claude'))).toBe(false);
});

test('an agent that runs no hooks fails, and doctor says what to look for', async () => {
  const check = await doctorCheck('deaf', `case $1 in --version) echo ${VERSION};; *) cat >/dev/null;; esac`);
  expect(check).toMatchObject({ ok: false, detail: expect.stringContaining('its hooks do not work') });
  expect(check.hint).toContain('hooks');
});

test('an agent that is too old is refused with the version that is needed', async () => {
  const check = await doctorCheck('old', 'echo 2.1.196');
  expect(check).toMatchObject({ ok: false, detail: expect.stringContaining('too old') });
  expect(check.hint).toContain('2.1.197');
});

test('a missing agent does not affect anything else', async () => {
  const { checks } = await world.client.doctor({ path: join(root, 'nowhere') });
  const check = checks.find((one) => one.name === 'claude');
  expect(check).toMatchObject({ ok: true, detail: expect.stringContaining('not on PATH') });
});
