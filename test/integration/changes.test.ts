import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { realClock } from '../../src/base/clock.ts';
import { Changes } from '../../src/daemon/changes/changes.ts';
import { type Compared, compare } from '../../src/daemon/changes/compare.ts';
import { sessionAfter, TURNS } from '../../src/testing/sessions.ts';

// What a session changed, by git, in repositories and in plain folders.

const clock = realClock();
let folder = '';
let workspace = '';
let changes: Changes;
const session = () => ({ ...sessionAfter({ ...TURNS, workspace }) });

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'outlast-changes-')));
  workspace = join(folder, 'w');
  mkdirSync(workspace);
  changes = new Changes(join(folder, 'state'), clock, () => {});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...words: string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...words], { cwd: workspace, encoding: 'utf8', stdio: 'pipe' });
}

const write = (name: string, text: string | Buffer): void => writeFileSync(join(workspace, name), text);

function repository(): void {
  git('init', '-q', '-b', 'main');
  write('kept.txt', 'one\n');
  write('.gitignore', 'ignored\n');
  git('add', '.');
  git('commit', '-qm', 'first');
}

/** What has changed since a time that was kept: the first one, unless it is said otherwise. */
async function since(at = 0): Promise<Compared> {
  const to = (await changes.now(session())).tree;
  const from = changes.kept(session().id)[at]?.tree ?? '';
  const compared = await compare(changes.place(session()), { from, to, isListOnly: false }, clock);
  if ('why' in compared) throw new Error(compared.why);
  return compared;
}

const named = ({ files }: Compared): string[] => files.map(({ status, path }) => `${status} ${path}`);

test('uncommitted work from before the start is not shown, whatever becomes of the repository', async () => {
  repository();
  write('kept.txt', 'one\nmine, not committed\n');
  write('notes', 'mine, not in git\n');
  write('staged', 'staged\n');
  git('add', 'staged');
  await changes.before(session(), 'p1');
  expect(named(await since())).toEqual([]);
  write('kept.txt', 'one\nmine, not committed\ntheirs\n');
  write('new', 'new\n');
  write('ignored', 'ignored\n');
  git('add', 'kept.txt', 'new');
  git('commit', '-qm', 'theirs');
  git('switch', '-qc', 'other');
  rmSync(join(workspace, 'notes'));
  const found = await since();
  expect(named(found)).toEqual(['modified kept.txt', 'added new', 'deleted notes']);
  expect(found.diff).toContain(' mine, not committed\n+theirs\n');
  expect([found.additions, found.deletions, found.cut]).toEqual([2, 1, null]);
});

test("nothing of the user's repository is changed, and nothing of it is run", async () => {
  repository();
  const ran = join(folder, 'ran');
  write('.gitattributes', '* filter=evil diff=evil\n');
  git('config', 'filter.evil.clean', `touch ${ran}; cat`);
  git('config', 'diff.evil.textconv', `touch ${ran}; cat`);
  git('config', 'core.fsmonitor', `touch ${ran}`);
  write('.git/hooks/post-index-change', `#!/bin/sh\ntouch ${ran}\n`);
  execFileSync('chmod', ['+x', join(workspace, '.git/hooks/post-index-change')]);
  const sums = ['-c', 'find .git -type f | sort | xargs md5sum'];
  const of = (): string => execFileSync('sh', sums, { cwd: workspace, encoding: 'utf8' });
  const before = of();
  await changes.before(session(), 'p1');
  write('kept.txt', 'two\n');
  expect(named(await since())).toEqual(['modified kept.txt']);
  expect(of()).toBe(before);
  expect(existsSync(ran)).toBe(false);
});

test('a change that keeps the size and the time of a file is found', async () => {
  repository();
  await changes.before(session(), 'p1');
  write('kept.txt', 'two\n');
  execFileSync('touch', ['-r', join(workspace, '.gitignore'), join(workspace, 'kept.txt')]);
  expect(named(await since())).toEqual(['modified kept.txt']);
});

test('a plain folder, a renamed file, a binary one, and one that is too large', async () => {
  write('a.txt', 'text\n'.repeat(20));
  write('large', Buffer.alloc(5 * 1024 * 1024, 1));
  mkdirSync(join(workspace, 'node_modules'));
  await changes.before(session(), 'p1');
  write('node_modules/x', 'x');
  write('b.txt', readFileSync(join(workspace, 'a.txt')));
  rmSync(join(workspace, 'a.txt'));
  write('picture', Buffer.from([0, 1, 2, 0]));
  write('long.txt', 'line\n'.repeat(4_000));
  const found = await since();
  expect(named(found)).toEqual(['renamed b.txt', 'added long.txt', 'added picture']);
  expect(found.cut).toBe('1 large file is not in the diff, 1 binary file is not in the diff');
  expect(changes.kept(session().id)[0]?.skipped).toEqual(['large: too large']);
});

test('each prompt is kept once, and the end; what changed in between is known', async () => {
  repository();
  await changes.before(session(), 'p1');
  await changes.before(session(), 'p1');
  write('one', '1\n');
  await changes.before(session(), 'p2');
  write('two', '2\n');
  await changes.ended(session());
  rmSync(workspace, { recursive: true });
  const kept = changes.kept(session().id);
  expect(kept.map(({ at, prompt }) => [at, prompt])).toEqual([
    ['start', 'p1'],
    ['turn', 'p2'],
    ['end', null],
  ]);
  mkdirSync(workspace);
  const trees = { from: kept[1]?.tree ?? '', to: kept[2]?.tree ?? '', isListOnly: true };
  const last = await compare(changes.place(session()), trees, clock);
  expect('files' in last && named(last)).toEqual(['added two']);
});

test('a folder that is too large, or gone, is said and does not fail', async () => {
  workspace = tmpdir();
  await changes.before(session(), 'p1');
  expect(changes.kept(session().id)[0]?.why).toMatch(/not in a git repository, and is too large/);
  await changes.before(session(), 'p2');
  expect(changes.kept(session().id)).toHaveLength(1);
  await expect(changes.now(session())).rejects.toMatchObject({ code: 'not_supported' });
});
