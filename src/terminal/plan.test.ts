import { expect, test } from 'vitest';
import type { Launch } from '../core/launch.ts';
import { planText, unusableNames } from './plan.ts';

const launch: Launch = { argv: ['true'], env: {}, cwd: '/', umask: 0o22, stdin: 'empty', split: false };

test('names that are not identifiers are reported and left out', () => {
  const env = { GOOD: '1', 'BASH_FUNC_x%%': '() { :; }', '1ST': 'x', 'a-b': 'x', '': 'x', _ok: '2' };
  expect(unusableNames(env)).toEqual(['BASH_FUNC_x%%', '1ST', 'a-b', '']);
  const text = planText({ ...launch, env }, { name: 's.1' });
  expect(text).toContain("export GOOD='1'");
  expect(text).not.toMatch(/BASH_FUNC|1ST|a-b/);
});

test('variables of the terminal override those of the launch, and the run keeps its own name', () => {
  const env = { TERM: 'dumb', OUTLAST_RUN: 'of.9' };
  const text = planText({ ...launch, env }, { name: 's.1', add: { TERM: 'xterm' } });
  expect(text).toContain("export TERM='xterm'");
  expect(text).toContain("export OUTLAST_RUN='s.1'");
  expect(text).not.toMatch(/dumb|of\.9/);
});

test('a command joins the cgroup that limits it right before it starts, whether or not that works', () => {
  const text = planText({ ...launch, cap: { is: 'group', path: '/groups/a b' } }, { name: 's.1' });
  expect(text).toContain('\n{ echo 0 >\'/groups/a b/cgroup.procs\'; } 2>/dev/null || :\nexec "$@"\n');
});

test('a NUL is refused, and the message names the argument', () => {
  expect(() => planText({ ...launch, argv: ['a', 'b\0c'] }, { name: 's.1' })).toThrow(/"b\\u0000c".*NUL/);
});
