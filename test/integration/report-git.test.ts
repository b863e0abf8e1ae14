import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { changesIn } from '../../src/daemon/report/git.ts';
import { JournalWorld } from './journal-world.ts';
import { reportOf } from './report-world.ts';

const clock = realClock();
const path = process.env.PATH;
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outlast-git-'));
});
afterEach(() => {
  process.env.PATH = path;
  rmSync(folder, { recursive: true });
});

function git(...words: string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'ignore' });
}

function repository(): void {
  git('init');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.txt'), 'one\ntwo\n');
  git('add', '.');
  git('commit', '-m', 'first');
}

test('changes since the last commit are reported, staged or not, and untracked files', async () => {
  repository();
  expect(await changesIn(folder, clock)).toBe('nothing has changed');
  writeFileSync(join(folder, 'src/a.txt'), 'one\nthree\nfour\n');
  writeFileSync(join(folder, 'new.txt'), 'x');
  const session = await changesIn(folder, clock);
  expect(session).toMatch(
    /^ src\/a\.txt \| 3 \+\+-\n 1 file changed, 2 insertions\(\+\), 1 deletion\(-\)\n not in git: 1\n {3}new/,
  );
  git('add', '.');
  expect(await changesIn(folder, clock)).toMatch(/ 2 files changed/);
  expect(await changesIn(join(folder, 'src'), clock)).toMatch(/^ a\.txt \| 3/);
});

test('many changes are cut, and their sum stays', async () => {
  repository();
  for (let i = 0; i < 100; i += 1) writeFileSync(join(folder, `f${i}`), 'x\n');
  git('add', '.');
  const session = (await changesIn(folder, clock)) ?? '';
  expect(session.split('\n')).toHaveLength(42);
  expect(session).toMatch(/ … and 60 more\n 100 files changed/);
});

test.each(['', '/nonexistent'])('a folder that is not a repository, or is gone, has no changes (%s)', async (below) => {
  expect(await changesIn(folder + below, clock)).toBeNull();
});

test('nothing that the repository configures is run, and its lock is not taken', async () => {
  repository();
  const trap = join(folder, 'trap');
  const ran = join(folder, 'ran');
  writeFileSync(trap, `#!/bin/sh\necho "$0" >> '${ran}'\n`);
  chmodSync(trap, 0o755);
  writeFileSync(join(folder, '.gitattributes'), '*.txt diff=trap\n');
  for (const key of ['diff.external', 'core.fsmonitor', 'diff.trap.command', 'diff.trap.textconv', 'core.pager'])
    git('config', key, trap);
  writeFileSync(join(folder, 'src/a.txt'), 'changed\n');
  writeFileSync(join(folder, '.git/index.lock'), '');
  expect(await changesIn(folder, clock)).toContain('src/a.txt');
  expect(existsSync(ran)).toBe(false);
});

test('a git that hangs or is missing does not block the report', async () => {
  using world = new JournalWorld();
  const session = world.make({ workspace: folder }).open(1).close(1, 1).end(1);
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nexec sleep 1000\n');
  chmodSync(join(folder, 'git'), 0o755);
  process.env.PATH = `${folder}:${path}`;
  const report = await reportOf(world, session);
  expect([report.changes, report.head.length]).toEqual([null, 1]);
  process.env.PATH = '/nonexistent';
  expect((await reportOf(world, session)).changes).toBeNull();
});
