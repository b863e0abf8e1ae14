import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { POLICY_OPTIONS } from '../../src/cli/input/policy-options.ts';
import { monitorWarning } from '../../src/compat/monitor.ts';
import { ROOT } from './tree.ts';

const guide = readFileSync(join(ROOT, 'docs/guides/recovery.md'), 'utf8');

/** The tests that the guide names: a file, and usually the title of a test in it. */
function named(): { path: string; title: string | null }[] {
  const found = guide.matchAll(/`(stories-\w+|cli-\w+|src\/[\w/.-]+\.test\.ts)`(?:: ([^|)\n]+))?/g);
  return [...found].map(([, file = '', title]) => ({
    path: file.includes('/') ? file : `test/e2e/${file}.test.ts`,
    title: title?.trim() ?? null,
  }));
}

/** The test titles of a file as regular expressions: a placeholder matches anything. */
function titlesOf(path: string): RegExp[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const titles = [...text.matchAll(/(?:\btest\(|\]\)\(|\)\()\s*'((?:[^'\\]|\\.)*)'/g)].map(([, title = '']) => title);
  return titles.map((title) => {
    const plain = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/%[sij]|\\\$\w+/g, '.+');
    return new RegExp(`^${plain}$`);
  });
}

test('every test that the recovery guide names exists', () => {
  const missing = named().filter(
    ({ path, title }) =>
      !existsSync(join(ROOT, path)) || (title !== null && !titlesOf(path).some((known) => known.test(title))),
  );
  expect(named().length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

test('every row in the tables of ends and bounds names its test', () => {
  const rows = guide
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.split('|').length === 6 && !line.startsWith('| ---'))
    .filter((line) => !line.includes('| test |'));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((line) => !/`(stories-\w+|src\/[\w/.-]+)`[^|]*\|$/.test(line))).toEqual([]);
});

test('the guide has every flag of the policy, and every variable of the earlier system', () => {
  const flags = Object.keys(POLICY_OPTIONS).filter((name) => !guide.match(`\\| \`--${name}[ \`]`));
  expect(flags).toEqual([]);
  const names = ['BASE_INTERVAL', 'MAX_INTERVAL', 'DEADLINE', 'GRACE_PERIOD', 'MAX_RETRIES', 'DISPATCH_WAIT'];
  for (const name of names) {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`MONITOR_${name}\` `)) ?? '';
    expect([name, row.includes('no effect')]).toEqual([name, monitorWarning({ [`MONITOR_${name}`]: '1' }) !== null]);
  }
});
