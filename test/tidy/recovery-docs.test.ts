import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { POLICY_OPTIONS } from '../../src/cli/input/policy-options.ts';
import { monitorWarning } from '../../src/compat/monitor.ts';
import { ROOT } from './tree.ts';

const guide = readFileSync(join(ROOT, 'docs/guides/recovery.md'), 'utf8');
const wrapper = readFileSync(join(ROOT, 'docs/guides/migrate-tmux-wrapper.md'), 'utf8');
const promises = readFileSync(join(ROOT, 'docs/promises.md'), 'utf8');
const proofs = promises.split(/^## /m).find((part) => part.startsWith('Recovery\n')) ?? '';

/** The tests that prove the lines of the guide: a file, and usually the title of a test in it. */
function named(): { path: string; title: string | null }[] {
  const found = proofs.matchAll(/`(stories-\w+|cli-\w+|src\/[\w/.-]+\.test\.ts)`(?:: ([^|)\n]+))?/g);
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

test('every test that is said to prove the recovery guide exists', () => {
  const missing = named().filter(
    ({ path, title }) =>
      !existsSync(join(ROOT, path)) || (title !== null && !titlesOf(path).some((known) => known.test(title))),
  );
  expect(named().length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});

test('every row of the proofs names a test that exists', () => {
  const rows = proofs.split('\n').filter((line) => /^\| (?!---)/.test(line) && !/\| test \|$/.test(line));
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.filter((line) => !/`(stories-\w+|cli-\w+|(src|test)\/[\w/.-]+)`[^|]*\|$/.test(line))).toEqual([]);
  const files = [...promises.matchAll(/`((?:src|test)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the guides for users name no tests', () => {
  const folder = join(ROOT, 'docs/guides');
  const pages = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const found = pages.flatMap(({ name, text }) =>
    [...text.matchAll(/`test\/[^`]+`|\bT-[A-Z]+-\d+|\.test\.ts/g)].map(([words]) => `${name}: ${words}`),
  );
  expect(found).toEqual([]);
});

test('the guide has every flag of the policy, and every variable of the earlier system', () => {
  const flags = Object.keys(POLICY_OPTIONS).filter((name) => !guide.match(`\\| \`--${name}[ \`]`));
  expect(flags).toEqual([]);
  const names = ['BASE_INTERVAL', 'MAX_INTERVAL', 'DEADLINE', 'GRACE_PERIOD', 'MAX_RETRIES', 'DISPATCH_WAIT'];
  for (const name of names) {
    const row = wrapper.split('\n').find((line) => line.startsWith(`| \`MONITOR_${name}\` `)) ?? '';
    expect([name, row.includes('no effect')]).toEqual([name, monitorWarning({ [`MONITOR_${name}`]: '1' }) !== null]);
  }
});
