import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeManPages } from '../../scripts/man-pages.ts';
import { COMMON } from '../../src/cli/base/command.ts';
import { TABLE } from '../../src/cli/table.ts';
import { some } from '../campaign.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-man-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
await writeManPages(folder, { version: '1.2.3', date: '2026-01-31' });
const pages = readdirSync(folder).sort();

test('there is a page for Outlast and one for each command, with all its options', async () => {
  const names = Object.keys(TABLE).map((name) => `outlast-${name.replaceAll(' ', '-')}.1`);
  expect(pages).toEqual(['outlast.1', ...names].sort());
  for (const [name, { load, summary }] of Object.entries(TABLE)) {
    const text = readFileSync(join(folder, `outlast-${name.replaceAll(' ', '-')}.1`), 'utf8').replaceAll('\\-', '-');
    const { options } = await load();
    for (const option of Object.keys({ ...options, ...COMMON })) expect(text).toContain(`--${option}`);
    expect(summary).not.toBe('');
    expect(text).toMatch(/^[\0-\x7f]*$/);
  }
});

test('mandoc finds nothing wrong with any page', () => {
  const ran = spawnSync('mandoc', ['-Tlint', '-Wwarning', ...pages], { cwd: folder, encoding: 'utf8' });
  expect([ran.error, ran.stdout + ran.stderr]).toEqual([undefined, '']);
});

test.each(some(['outlast.1', 'outlast-exec.1', ...pages], 15))('man renders %s without warnings', (page) => {
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80', MAN_KEEP_FORMATTING: '' };
  const ran = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-P', 'cat', '-l', page], {
    cwd: folder,
    encoding: 'utf8',
    env,
  });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toMatch(/^OUTLAST/);
  for (const line of ran.stdout.split('\n'))
    if (!/https?:|outlast /.test(line)) expect(line.length).toBeLessThanOrEqual(80);
});
