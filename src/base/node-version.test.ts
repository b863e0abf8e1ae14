import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isNodeSupported, NODE_NEEDED } from './node-version.ts';

const ROOT = join(import.meta.dirname, '../..');

test('the floor is the same in package.json, in the command line and here', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(engines.node).toBe('^22.22.3 || ^24.15.0 || >=26.0.0');
  const floor = 'const atLeast = { 22: [22, 3], 24: [15, 0] }[major] ?? [major >= 26 ? 0 : 1e9, 0];';
  expect(readFileSync(join(ROOT, 'bin/outlast.cjs'), 'utf8')).toContain(floor);
});

test.each([
  ['18.20.8', false],
  ['20.20.2', false],
  ['22.22.2', false],
  ['v22.22.3', true],
  ['22.23.0', true],
  ['23.11.1', false],
  ['24.14.1', false],
  ['24.15.0', true],
  ['25.9.0', false],
  ['26.1.0', true],
])('Node %s: %s', (version, isFine) => {
  expect(isNodeSupported(version)).toBe(isFine);
});

test('an old Node is told in one line what to do', () => {
  const old = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' });
    process.argv = [process.argv[0], 'outlast', 'list']; require('${ROOT}/bin/outlast.cjs')`;
  const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent' };
  const { status, stderr } = spawnSync(process.execPath, ['-e', old], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr.match(/\n/g)).toHaveLength(1);
  expect(stderr).toContain(`needs ${NODE_NEEDED}; this is 20.20.2: install Node 24`);
});
