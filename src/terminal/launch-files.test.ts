import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeLaunchFiles } from './launch-files.ts';

test.each(['../plan', 'a/../b', 'a/..', '/a', 'a/', 'a//b', './a', '..', '.', '', 'a\0b', 'a b'])(
  'the file name %j is refused',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'outlast-launch-files-'));
    try {
      const files = [
        { name: 'good', text: '' },
        { name, text: 'x' },
      ];
      expect(() => writeLaunchFiles(join(folder, 'files'), { files })).toThrow("is not a path within the run's folder");
      expect(readdirSync(folder)).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('a copy is as the file was, a link leads to the file of the user, and a missing folder is made there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-launch-files-'));
  const inside = (name: string): string => join(folder, name);
  try {
    writeFileSync(inside('settings'), 'mine');
    writeFileSync(inside('login'), 'old');
    const files = [
      { name: 'settings', copyOf: inside('settings') },
      { name: 'none', copyOf: inside('none') },
      { name: 'login', linkTo: inside('login') },
      { name: 'later', linkTo: inside('later') },
      { name: 'history', linkTo: inside('home/history'), makes: 'folder' as const },
    ];
    // Twice: a daemon that died in between writes them again.
    for (let i = 0; i < 2; i += 1) writeLaunchFiles(inside('run'), { files });
    writeFileSync(inside('run/settings'), 'changed');
    writeFileSync(inside('run/login'), 'new');
    writeFileSync(inside('run/history/one'), '');
    expect([readFileSync(inside('settings'), 'utf8'), readFileSync(inside('login'), 'utf8')]).toEqual(['mine', 'new']);
    expect(readdirSync(inside('home/history'))).toEqual(['one']);
    expect([existsSync(inside('run/none')), lstatSync(inside('run/later')).isSymbolicLink()]).toEqual([false, true]);
    expect(statSync(inside('run/settings')).mode & 0o777).toBe(0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
