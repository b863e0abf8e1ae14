import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// The command line keeps its compiled code. Whatever is wrong with what it kept, the command does what it does.

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'outlast-compiled-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = (): string => join(home, 'outlast/compiled');
const kept = (): string[] => readdirSync(folder()).filter((name) => name.startsWith('cli-'));

function version(env: NodeJS.ProcessEnv = {}, words = ['version']): string {
  const own = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: home, ...env };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words], { env: own, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('each command keeps what it compiled, for its owner only, and does not write it again', () => {
  const first = version();
  const [name = ''] = kept();
  const path = join(folder(), name);
  expect(name).toMatch(/^cli-\w{16}-v[\d.]+-\w+-version$/);
  const { mode, mtimeMs, size } = statSync(path);
  expect([mode & 0o777, size > 100_000]).toEqual([0o600, true]);
  expect(version()).toBe(first);
  expect([kept(), statSync(path).mtimeMs]).toEqual([[name], mtimeMs]);
  version({}, ['help', 'list']);
  expect(kept().toSorted()).toEqual([name.replace(/version$/, 'help'), name].toSorted());
});

test('kept code that is damaged or of another program is not run, and replaced', () => {
  const first = version();
  const [name = ''] = kept();
  const path = join(folder(), name);
  const good = readFileSync(path);
  const other = Buffer.from(good);
  // The hash of the flags and the version of V8.
  other.fill(0x5a, 0, 16);
  for (const bad of [Buffer.alloc(0), Buffer.from('nothing'), good.subarray(0, good.length / 2), other]) {
    writeFileSync(path, bad);
    expect(version()).toBe(first);
    expect(readFileSync(path).length).toBeGreaterThan(good.length / 2);
  }
});

test('without a folder that can be written commands work, and what older builds kept is deleted after a week', () => {
  writeFileSync(join(home, 'file'), '');
  expect(version({ XDG_CACHE_HOME: join(home, 'file') })).toMatch(/^\d+\.\d+/);
  mkdirSync(folder(), { recursive: true });
  const [old, recent] = ['cli-0000000000000000-v1.0.0-x64-exec', 'cli-1111111111111111-v1.0.0-x64-exec'];
  for (const name of [old, recent]) writeFileSync(join(folder(), name), '');
  utimesSync(join(folder(), old), 0, 0);
  version();
  expect(kept()).not.toContain(old);
  expect(kept()).toEqual(expect.arrayContaining([recent, expect.stringMatching(/-version$/)]));
});

test('code is not kept where Node keeps none', () => {
  expect(version({ NODE_DISABLE_COMPILE_CACHE: '1' })).toMatch(/^\d+\.\d+/);
  expect(() => kept()).toThrow(/ENOENT/);
});

test('`uninstall` leaves no compiled code, not even its own', () => {
  expect(version({}, ['uninstall', '--yes'])).toContain('removed ');
  expect(existsSync(join(home, 'outlast'))).toBe(false);
});
