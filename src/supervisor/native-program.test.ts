import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '../agent/seam/agent.ts';
import { nativeLaunch, nativeProgram, plannedLaunch } from './native-program.ts';

/** A folder with a script on the PATH that a package manager linked there. */
function installed() {
  const root = mkdtempSync(join(tmpdir(), 'ol-native-'));
  for (const name of ['bin', 'package', 'native']) mkdirSync(join(root, name));
  writeFileSync(join(root, 'package/run.js'), '#!/usr/bin/env node\n');
  chmodSync(join(root, 'package/run.js'), 0o755);
  symlinkSync('../package/run.js', join(root, 'bin/agent'));
  const native = join(root, 'native/agent');
  const natives = (script: string): string[] =>
    script === join(root, 'package/run.js') ? [`${native}-other`, native] : [];
  const program = { name: 'agent', install: 'Install it.', natives };
  return { root, native, program, path: join(root, 'bin'), [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}

const LAUNCH = { cwd: '/', umask: 0, stdin: 'empty', split: true } as const;

test('the program that the script would start is started', () => {
  using place = installed();
  writeFileSync(place.native, '');
  expect(nativeProgram(place.program, place.path)).toBe(place.native);
  const launch = { ...LAUNCH, argv: ['agent', '--server'] as const, env: { PATH: place.path } };
  expect(nativeLaunch({ program: place.program as never }, launch).argv).toEqual([place.native, '--server']);
});

test('a program that is a file for Node is run by the Node of the caller', () => {
  using place = installed();
  const file = join(place.root, 'native/agent.js');
  writeFileSync(file, '');
  writeFileSync(join(place.path, 'node'), '');
  chmodSync(join(place.path, 'node'), 0o755);
  const program = { ...place.program, natives: () => [file] } as never;
  const launch = { ...LAUNCH, argv: ['agent', '--server'] as const, env: { PATH: place.path } };
  expect(nativeLaunch({ program }, launch).argv).toEqual([join(place.path, 'node'), file, '--server']);
});

test('a script whose program is not installed is an error that names both', () => {
  using place = installed();
  expect(() => nativeProgram(place.program, place.path)).toThrow(
    /bin\/agent is a script.*native\/agent-other.*Install it/,
  );
});

test('a program that is no script of a package is started as it is, and one that is missing is null', () => {
  using place = installed();
  const plain = { ...place.program, natives: () => [] };
  expect(nativeProgram(plain, place.path)).toBe(join(place.path, 'agent'));
  expect(nativeProgram(place.program, '/nowhere')).toBeNull();
});

test('a mistake of an adapter is an error of its run, which says what is wrong', () => {
  const launch = (): never => {
    throw new Error('assertion failed: a conversation id is a UUID: null');
  };
  const agent = { name: 'agent', launch } as unknown as Agent;
  const planned = (): unknown => plannedLaunch(agent, {} as never, {} as never, {} as never);
  expect(planned).toThrow(expect.objectContaining({ code: 'internal' }));
  expect(planned).toThrow('cannot plan a run of agent: assertion failed: a conversation id is a UUID');
});
