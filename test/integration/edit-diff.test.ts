import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claudeActions } from '../../src/agent/claude/actions.ts';
import type { Action } from '../../src/core/rules/action.ts';
import { editDiff } from '../../src/daemon/views/edit-diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-edit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'a');
writeFileSync(file, 'one\ntwo\none\n');

const changes = (tool: string, input: object): string[] | null =>
  editDiff(claudeActions(tool, input), folder)
    ?.split('\n')
    .slice(2)
    .filter((line) => /^[-+]/.test(line)) ?? null;

test('each tool that changes a file is shown as a change', () => {
  const edit = { old_string: 'one', new_string: '$& $1' };
  expect(changes('Edit', { file_path: file, ...edit })).toEqual(['-one', '+$& $1']);
  expect(changes('Edit', { file_path: 'a', ...edit })).toEqual(['-one', '+$& $1']);
  expect(changes('Edit', { file_path: file, ...edit, replace_all: true })).toHaveLength(4);
  const edits = [edit, { old_string: 'two', new_string: 'zwei' }];
  expect(changes('MultiEdit', { file_path: file, edits })).toEqual(['-one', '-two', '+$& $1', '+zwei']);
  expect(changes('Write', { file_path: file, content: 'two\none\n' })).toEqual(['-one']);
  expect(changes('Write', { file_path: join(folder, 'new'), content: 'x\n' })).toEqual(['+x']);
  expect(changes('Edit', { file_path: join(folder, 'new'), old_string: '', new_string: 'x' })).toEqual(['+x']);
});

test('a text that is not in the file is still shown', () => {
  expect(changes('Edit', { file_path: file, old_string: 'three', new_string: 'four' })).toEqual(['-three', '+four']);
});

test('a change to anything but a plain file of limited size is not shown as a diff', () => {
  mkdirSync(join(folder, 'd'));
  writeFileSync(join(folder, 'big'), 'x'.repeat(2 * 1024 * 1024));
  for (const name of ['d', 'big', '/dev/zero', 'x\0y']) {
    expect(changes('Write', { file_path: name, content: 'x' }), name).toBeNull();
  }
  expect(changes('Bash', { command: 'x' })).toBeNull();
  expect(changes('Read', { file_path: file })).toBeNull();
  expect(changes('Edit', { file_path: file })).toBeNull();
  expect(changes('MultiEdit', { file_path: file, edits: 'x' })).toBeNull();
});

test('a call that changes many files is shown completely, or not as a diff', () => {
  const write = (path: string, text: string): Action => ({
    is: 'write',
    path,
    change: { is: 'text', text, fields: [] },
  });
  const patch: Action = { is: 'write', path: 'c', change: { is: 'diff', diff: '--- c\n+++ c\n-x\n+y', fields: [] } };
  const diff = editDiff([write('a', 'two\none\n'), write('b', 'x\n'), patch], folder) ?? '';
  expect(diff.split('\n').filter((line) => line.startsWith('+++'))).toEqual([
    `+++ ${file}`,
    `+++ ${folder}/b`,
    '+++ c',
  ]);
  expect(diff).toContain('-x\n+y');
  expect(editDiff([write('a', ''), { is: 'write', path: 'b', change: null }], folder)).toBeNull();
  expect(editDiff([write('a', ''), { is: 'shell', command: 'rm a' }], folder)).toBeNull();
});
