import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
