import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { unifiedDiff } from '../../src/base/diff.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-diff-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a change is shown with its context', () => {
  const before = Array.from({ length: 20 }, (_, i) => `${i}\n`).join('');
  const after = before.replace('5\n', 'five\n').replace('15\n', '');
  expect(unifiedDiff(before, after, 'f')).toBe(
    [
      ...['--- f', '+++ f', '@@ -3,7 +3,7 @@', ' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8'],
      ...['@@ -13,7 +13,6 @@', ' 12', ' 13', ' 14', '-15', ' 16', ' 17', ' 18'],
    ].join('\n'),
  );
  expect(unifiedDiff('same\n', 'same\n', 'f')).toBe('');
  expect(unifiedDiff('', 'new\n', 'f')).toBe('--- f\n+++ f\n@@ -0,0 +1,1 @@\n+new');
  expect(unifiedDiff('a', 'a\n', 'f')).toContain('-a\n\\ No newline at end of file\n+a');
});

test('git apply turns it into the new text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', 'long line'), { maxLength: 12 })
    .chain((lines) => fc.boolean().map((ends) => lines.join('\n') + (ends && lines.length > 0 ? '\n' : '')));
  const property = fc.property(text, text, (before, after) => {
    const file = join(folder, 'f');
    writeFileSync(file, before);
    writeFileSync(join(folder, 'd'), `${unifiedDiff(before, after, 'f')}\n`);
    if (before !== after)
      execFileSync('git', ['apply', '-p0', 'd'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    const made = readFileSync(file, 'utf8');
    expect(made).toBe(after);
  });
  fc.assert(property, { numRuns: 60 });
});

test('two long texts that have nothing in common are quickly shown as replaced', () => {
  const many = (word: string): string => Array.from({ length: 5_000 }, (_, i) => `${word}${i}\n`).join('');
  expect(unifiedDiff(many('a'), many('b'), 'f').split('\n')).toHaveLength(10_003);
});
