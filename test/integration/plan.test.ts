import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Launch } from '../../src/core/launch.ts';
import { planText } from '../../src/terminal/plan.ts';
import { PROGRAM_PATH } from '../../src/terminal/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shells = ['/bin/sh', '/bin/bash', '/bin/busybox'].filter((shell) => existsSync(shell));

/** Anything but NUL, biased towards what shells find hard. */
const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom("'", '"', '\\', '\n', '\r', '$', '`', '-', '=', ' ', '*', '~', '\x81', '\x7f', 'é'),
    maxLength: 12,
  }),
);
const text = word.map((value) => value.replaceAll('\0', '').toWellFormed());
const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/),
  fc.constantFrom(
    'IFS',
    'UID',
    'EUID',
    'PPID',
    'OPTIND',
    'LINENO',
    'RANDOM',
    'SECONDS',
    'PS4',
    'HOME',
    'CDPATH',
    'ENV',
    'run',
  ),
);
// bash decrements SHLVL when it execs, and complains about missing locales.
const notChecked = new Set(['_', 'PWD', 'SHLVL', 'PATH', 'OUTLAST_RUN', 'LC_ALL', 'LANG']);
const environment = fc
  .dictionary(name, text, { maxKeys: 8, noNullPrototype: true })
  .map((env) => Object.fromEntries(Object.entries(env).filter(([key]) => !notChecked.has(key))));

/** Replaces systemd-run: prints its arguments, and becomes the command. */
const SCOPE = ['/bin/sh', '-c', 'printf "%s\\0" "$0" "$BUS"; exec "$@"', 'in scope'];

function runPlan(
  shell: string,
  launch: Partial<Launch> & Pick<Launch, 'argv'>,
): { status: number; words: string[]; stderr: string } {
  const whole: Launch = {
    env: { PATH: PROGRAM_PATH },
    cwd: folder,
    umask: 0o022,
    stdin: 'empty',
    split: false,
    ...launch,
  };
  const file = join(folder, 'plan');
  writeFileSync(file, planText(whole, { name: 'session.1' }));
  const env = { PATH: PROGRAM_PATH, OUTLAST_RUN: 'other.9', TERM: 'leak', PWD: '/leak', OLDPWD: '/leak', SHLVL: '9' };
  const child = spawnSync(shell, shell.endsWith('busybox') ? ['sh', file] : [file], {
    argv0: 'sh',
    env,
    encoding: 'utf8',
  });
  return { status: child.status ?? -1, words: child.stdout.split('\0').slice(0, -1), stderr: child.stderr };
}

describe.each(shells)('a plan run by %s', (shell) => {
  test('passes any arguments byte for byte', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (words) => {
        expect(runPlan(shell, { argv: ['/usr/bin/printf', '%s\\0', ...words] }).words).toEqual(words);
      }),
      { numRuns: 150 },
    );
  });

  test('passes any environment byte for byte, and nothing of the launcher', () => {
    fc.assert(
      fc.property(environment, (env) => {
        const { words, stderr } = runPlan(shell, { argv: ['/usr/bin/env', '-0'], env: { ...env, PATH: PROGRAM_PATH } });
        const expected = Object.entries({ ...env, PATH: PROGRAM_PATH, OUTLAST_RUN: 'session.1' });
        const seen = words.filter((entry) => !/^(_|SHLVL)=/.test(entry));
        expect(seen.sort(), stderr).toEqual(expected.map(([key, value]) => `${key}=${value}`).sort());
      }),
      { numRuns: 150 },
    );
  });

  test('finds the command without a PATH, and passes none on', () => {
    expect(
      runPlan(shell, { argv: ['printenv', '-0'], env: {} }).words.filter((entry) => entry.startsWith('PATH=')),
    ).toEqual([]);
    expect(runPlan(shell, { argv: ['printenv', '-0'], env: {} }).words).toContain('OUTLAST_RUN=session.1');
  });

  test('gives PWD the folder it entered, when the caller had one', () => {
    const { words } = runPlan(shell, { argv: ['printenv', '-0', 'PWD'], env: { PATH: PROGRAM_PATH, PWD: '/stale' } });
    expect(words).toEqual([folder]);
  });

  test('distinguishes a missing command from one that may not be executed', () => {
    writeFileSync(join(folder, 'data'), 'x', { mode: 0o600 });
    const missing = runPlan(shell, { argv: ['./none'] });
    const forbidden = runPlan(shell, { argv: ['./data'] });
    expect([missing.status, missing.stderr]).toEqual([127, 'outlast: ./none: command not found\n']);
    expect([forbidden.status, forbidden.stderr]).toEqual([126, 'outlast: ./data: not executable\n']);
    expect(runPlan(shell, { argv: ['-x'] })).toMatchObject({ status: 127, stderr: 'outlast: -x: command not found\n' });
  });

  test('runs a command whose name begins with a dash', () => {
    writeFileSync(join(folder, '-x'), '#!/bin/sh\nprintf "%s\\0" "$@"\n', { mode: 0o700 });
    expect(runPlan(shell, { argv: ['-x', 'a'], env: { PATH: `${folder}:${PROGRAM_PATH}` } }).words).toEqual(['a']);
  });
});

test.each(shells)('%s starts a command in a scope, with its own arguments and environment', (shell) => {
  const cap = { is: 'scope', argv: SCOPE, env: { BUS: '/run/user/7', OTHER: 'x' } } as const;
  const argv = ['/bin/sh', '-c', '[ "$BUS" ] && exit 1; printf "%s\\0" "$1" "$OTHER"', 'sh', "it's  two"] as const;
  const { words } = runPlan(shell, { argv, env: { PATH: PROGRAM_PATH, OTHER: 'own' }, cap });
  expect(words).toEqual(['in scope', '/run/user/7', "it's  two", 'own']);
});
