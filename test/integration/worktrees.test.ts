import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { change, commit, done, folderOf, git, gitIn, lookAt, useRepository } from './repository-world.ts';

const here = useRepository();

test('a session has its own folder and branch; those of its caller are unchanged', async () => {
  writeFileSync(join(here.repository, 'part', 'file'), 'not committed\n');
  const session = await done('echo two > part/file; echo new > other', { name: 'fix' });
  const folder = await folderOf(session);
  expect(folder).not.toBe(here.repository);
  expect(gitIn(folder, 'branch', '--show-current')).toBe('outlast/fix');
  expect(git('status', '--porcelain')).toBe('M part/file');
  expect(await lookAt(session)).toEqual({ repository: here.repository, branch: 'outlast/fix', dirty: 2, ahead: 0 });
});

test('a start in a subfolder of the repository works in that subfolder', async () => {
  const session = await done('cat file', { cwd: join(here.repository, 'part') });
  expect(await folderOf(session)).toMatch(/\/part$/);
  expect((await session.output()).text).toBe('one\n');
});

test('on an existing branch, on a new one, and not on one that is checked out elsewhere', async () => {
  git('branch', 'there');
  expect(await lookAt(await done('true', { worktree: 'there' }))).toMatchObject({ branch: 'there' });
  expect(await lookAt(await done('true', { worktree: 'brand/new' }))).toMatchObject({ branch: 'brand/new' });
  const refused = { code: 'worktree_failed', message: expect.stringMatching(/main.*already (checked out|used)/s) };
  await expect(done('true', { worktree: 'main' })).rejects.toMatchObject(refused);
  await expect(done('true', { worktree: 'no good..name' })).rejects.toMatchObject({ code: 'worktree_failed' });
});

test('two sessions of one name have two branches', async () => {
  const first = await done('true', { name: 'twin' });
  const second = await done('true', { name: 'twin' });
  expect((await lookAt(first))?.branch).toBe('outlast/twin');
  expect((await lookAt(second))?.branch).toMatch(/^outlast\/twin-\w+$/);
});

test('a folder without a repository, or without a commit, is refused with a reason', async () => {
  await expect(done('true', { cwd: here.world.state })).rejects.toMatchObject({
    code: 'worktree_failed',
    message: expect.stringContaining('is not in a git repository'),
  });
  const empty = join(here.repository, 'empty');
  mkdirSync(empty);
  gitIn(empty, 'init', '-q');
  await expect(done('true', { cwd: empty })).rejects.toMatchObject({ message: expect.stringContaining('no commit') });
});

test('a start that is refused leaves no worktree and no branch; the same start twice has one', async () => {
  const live = await here.world.client.start({ shell: 'sleep 600', cwd: here.repository, name: 'taken' });
  await expect(done('true', { name: 'taken' })).rejects.toMatchObject({ code: 'name_taken' });
  await live.stop();
  const twice = { shell: 'true', cwd: here.repository, worktree: '', key: `twice-${here.repository}` };
  const [one, other] = await Promise.all([here.world.client.start(twice), here.world.client.start(twice)]);
  expect(one?.id).toBe(other?.id);
  await eventually(() => git('worktree', 'list').split('\n').length === 2);
  expect(git('branch').split('\n')).toHaveLength(2);
});

test('removing a session removes a worktree without work in it', async () => {
  const session = await done('true', { name: 'idle' });
  const folder = await folderOf(session);
  await session.remove();
  expect(existsSync(folder)).toBe(false);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('branch')).toBe('* main');
});

test('uncommitted work is never removed without --discard, and then a ref keeps all of it', async () => {
  const session = await done('echo two > part/file; echo new > other', { name: 'dirty' });
  const folder = await folderOf(session);
  const refused = { code: 'worktree_unsaved', message: expect.stringContaining('2 changed files') };
  await expect(session.remove()).rejects.toMatchObject(refused);
  await expect(session.remove({ force: true })).rejects.toMatchObject(refused);
  expect((await here.world.client.prune({ olderThanMs: 0 })).kept).toContainEqual({
    id: session.id,
    why: expect.stringContaining('nowhere else'),
  });
  expect(readdirSync(folder)).toContain('other');
  await session.remove({ discard: true });
  expect(existsSync(folder)).toBe(false);
  const ref = `refs/outlast/rescue/${session.id}`;
  expect(git('show', `${ref}:part/file`)).toBe('two');
  expect(git('show', `${ref}:other`)).toBe('new');
  expect(git('branch')).toBe('* main');
});

test('commits that are nowhere else stay on their branch, and one that has no branch is not removed', async () => {
  const session = await done(change('two'), { name: 'ahead' });
  expect(await lookAt(session)).toMatchObject({ dirty: 0, ahead: 1 });
  const removed = await here.world.cli(['remove', 'ahead']);
  expect(removed.stdout).toContain(`Its commits are in ${here.repository} on the branch outlast/ahead.\n`);
  expect(git('show', 'outlast/ahead:part/file')).toBe('two');
  const loose = await done(`git checkout -q --detach; ${change('three')}`);
  expect(await lookAt(loose)).toMatchObject({ branch: null, ahead: 1 });
  await expect(loose.remove()).rejects.toMatchObject({ code: 'worktree_unsaved' });
  await loose.remove({ discard: true });
  expect(git('show', `refs/outlast/rescue/${loose.id}:part/file`)).toBe('three');
});

test('a wait for an end sees the work that was done by then, also right after an earlier look', async () => {
  const shell = `read go; ${change('two')}`;
  const session = await here.world.client.start({ shell, cwd: here.repository, worktree: '', stdin: 'open' });
  expect(await lookAt(session)).toMatchObject({ dirty: 0, ahead: 0 });
  await session.write({ keys: ['Enter'] });
  await session.wait();
  expect(await lookAt(session)).toMatchObject({ dirty: 0, ahead: 1 });
});

test('what a ref cannot keep is not removed, also with --discard: repositories inside, and submodules', async () => {
  const first = 'git -c user.name=t -c user.email=t@x commit -q --allow-empty -m x';
  const inside = await done(`git init -q inner; cd inner; ${first}`);
  const words = { code: 'worktree_unsaved', message: expect.stringContaining('inner is a nested repository') };
  await expect(inside.remove({ discard: true })).rejects.toMatchObject(words);
  expect(existsSync(join(await folderOf(inside), 'inner', '.git'))).toBe(true);
  const module = realpathSync(mkdtempSync(join(tmpdir(), 'outlast-module-')));
  try {
    gitIn(module, 'init', '-q');
    gitIn(module, 'commit', '-q', '--allow-empty', '-m', 'x');
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', module, 'sub');
    commit('with a submodule');
    const session = await done('git -c protocol.file.allow=always submodule --quiet update --init');
    const refused = { code: 'worktree_unsaved', message: expect.stringContaining('has submodules') };
    await expect(session.remove()).rejects.toMatchObject(refused);
    await expect(session.remove({ discard: true })).rejects.toMatchObject(refused);
    rmSync(await folderOf(session), { recursive: true });
    await session.remove();
  } finally {
    rmSync(module, { recursive: true, force: true });
  }
});

test('settings that hide new files from git do not hide them from Outlast', async () => {
  git('config', 'status.showUntrackedFiles', 'no');
  const session = await done('echo new > other');
  expect(await lookAt(session)).toMatchObject({ dirty: 1 });
  await expect(session.remove()).rejects.toMatchObject({ code: 'worktree_unsaved' });
});

test('a worktree that another session works in stays', async () => {
  const first = await done('true');
  const cwd = await folderOf(first);
  const second = await here.world.client.start({ shell: 'sleep 600', cwd });
  await first.remove();
  expect(existsSync(cwd)).toBe(true);
  await second.stop();
  await second.remove();
  expect(existsSync(cwd)).toBe(false);
});

test('the command line gives it a branch after =, and shows what work is in it', async () => {
  const start = ['start', '--agent', 'scripted', '--end', '--worktree=mine', '--name', 'worker-bee', 'hello'];
  const { stdout, stderr } = await here.world.cli(start, { cwd: here.repository });
  await here.world.client.wait({ session: 'worker-bee' });
  const { workspace } = (await here.world.client.show('worker-bee')).session;
  for (const words of [/branch +mine\n/, `folder        ${workspace}\n`]) expect(stderr).toMatch(words);
  writeFileSync(join(workspace, 'left'), 'x');
  const listed = await eventually(async () => {
    const { stdout: text } = await here.world.cli(['list']);
    return text.includes('1 dirty') && text;
  });
  expect(listed).toContain('WORKTREE');
  const shown = async (): Promise<string> => (await here.world.cli(['show', 'worker-bee'])).stdout;
  await eventually(async () => (await shown()).includes(`mine of ${here.repository}: 1 dirty`));
  const refused = await here.world.cli(['remove', 'worker-bee']);
  expect(refused).toMatchObject({ status: 4, stderr: expect.stringContaining('--discard') });
  const removed = await here.world.cli(['remove', 'worker-bee', '--discard']);
  const kept = `Its work is kept in ${here.repository}: git checkout -b back refs/outlast/rescue/${stdout.trim()}\n`;
  expect([removed.status, removed.stdout]).toEqual([0, expect.stringContaining(kept)]);
  expect(git('show', `refs/outlast/rescue/${stdout.trim()}:left`)).toBe('x');
});

test('a worktree that a daemon left without a session is removed by the next one, unless it has work', async () => {
  const [empty, full] = [await done('true'), await done('echo x > left')];
  const [emptyFolder, fullFolder] = [await folderOf(empty), await folderOf(full)];
  await here.world.kill();
  // As if the daemon had died before it recorded the sessions.
  const db = new DatabaseSync(join(here.world.state, 'outlast.db'));
  for (const { id } of [empty, full]) {
    db.exec(`DELETE FROM events WHERE session = '${id}'; DELETE FROM sessions WHERE id = '${id}'`);
    rmSync(join(here.world.state, 'sessions', id), { recursive: true });
  }
  db.close();
  await here.world.start();
  await eventually(() => !existsSync(emptyFolder));
  expect(existsSync(join(fullFolder, 'left'))).toBe(true);
});

test('T-JOURNAL-8: a lost journal costs no worktree, also of a session that is not known any more', async () => {
  const [known, unknown] = [await done('true'), await done('true')];
  const folders = [await folderOf(known), await folderOf(unknown)];
  await here.world.kill();
  rmSync(join(here.world.state, 'sessions', unknown.id), { recursive: true });
  const exit = join(here.world.state, 'exits', `${unknown.id}.1`);
  writeFileSync(exit, '');
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(here.world.state, `outlast.db${suffix}`), { force: true });
  await here.world.restart();
  // The second start knows no more than the first.
  await here.world.restart();
  const later = await done('true');
  await later.remove();
  expect([...folders, exit].map((path) => existsSync(path))).toEqual([true, true, true]);
});
