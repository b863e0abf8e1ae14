import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askedFiles } from './agent-files.ts';

test('a missing path is absent, and an unreadable one is remembered', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-files-'));
  const at = (name: string): string => join(folder, name);
  mkdirSync(at('names'));
  writeFileSync(at('names/one'), 'x');
  writeFileSync(at('empty'), '');
  // A link to itself cannot be read, not even by root.
  symlinkSync(at('loop'), at('loop'));
  const files = askedFiles();
  expect([files.names(at('names')), files.names(at('gone')), files.names(at('names/one'))]).toEqual([['one'], [], []]);
  expect(['names/one', 'gone', 'empty', 'names'].map((name) => files.isThere(at(name)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(files.unread).toEqual([]);
  expect([files.isThere(at('loop')), files.names(at('loop/below'))]).toEqual([false, []]);
  expect(files.unread).toEqual([at('loop'), at('loop/below')]);
  rmSync(folder, { recursive: true });
});
