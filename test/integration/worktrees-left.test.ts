import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { change, done, folderOf, git, gitIn, lookAt, useRepository } from './repository-world.ts';

const here = useRepository();

test.each([
  ['another branch', 'git checkout -q other'],
  ['no branch', 'git checkout -q --detach other'],
])('commits on the branch of Outlast stay when the agent switched to %s', async (_where, leave) => {
  git('branch', 'other');
  const name = `gone-${leave.length}`;
  const plain = await done(`${change('two')}; ${leave}`, { name });
  expect(await lookAt(plain)).toMatchObject({ dirty: 0, ahead: 0 });
  await plain.remove();
  expect(git('show', `outlast/${name}:part/file`)).toBe('two');
  const discarded = await done(`${change('three')}; ${leave}; echo new > other-file`, { name: `${name}-too` });
  await discarded.remove({ discard: true });
  expect(git('show', `outlast/${name}-too:part/file`)).toBe('three');
  expect(git('show', `refs/outlast/rescue/${discarded.id}:other-file`)).toBe('new');
});

test('a branch of Outlast is deleted when all of it is on the branch that the agent switched to', async () => {
  const session = await done(`${change('two')}; git checkout -q -b theirs`, { name: 'merged' });
  await session.remove();
  expect(git('branch', '--format=%(refname:short)').split('\n')).toEqual(['main', 'theirs']);
});

test('a commit on two branches of Outlast stays on one of them, also when both are removed at once', async () => {
  const one = await done(change('two'), { name: 'one' });
  const other = await done('git merge -q --ff-only outlast/one', { name: 'other' });
  const commit = git('rev-parse', 'outlast/one');
  expect(git('rev-parse', 'outlast/other')).toBe(commit);
  await Promise.all([one.remove(), other.remove()]);
  expect(git('branch', '--contains', commit)).toMatch(/^outlast\/(one|other)$/);
});

test('a worktree made from within another one outlives it, and is removed like any other', async () => {
  const outer = await done(change('two'), { name: 'outer' });
  const inner = await done('cat part/file', { name: 'inner', cwd: await folderOf(outer) });
  expect((await inner.output()).text).toBe('two\n');
  expect((await lookAt(inner))?.repository).toBe((await lookAt(outer))?.repository);
  await outer.remove();
  await inner.remove();
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('a folder that was removed by hand does not keep its branch in use', async () => {
  const first = await done('true', { worktree: 'by-hand' });
  rmSync(await folderOf(first), { recursive: true });
  await first.remove();
  expect(git('branch')).toBe('* main');
  const second = await done(change('two'), { worktree: 'by-hand' });
  rmSync(await folderOf(second), { recursive: true });
  await second.remove();
  const third = await done('cat part/file', { worktree: 'by-hand' });
  expect((await third.output()).text).toBe('two\n');
});

test('a folder whose repository is gone too is forgotten', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'outlast-gone-')));
  gitIn(folder, 'init', '-q');
  gitIn(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
  const session = await done('true', { cwd: folder });
  const root = await folderOf(session);
  for (const each of [folder, root]) rmSync(each, { recursive: true });
  await session.remove();
  await expect(session.show()).rejects.toMatchObject({ code: 'session_not_found' });
});

test.each(['--assume-unchanged', '--skip-worktree'])(
  'a change that git was told to ignore with %s counts',
  async (flag) => {
    const quiet = await done(`git update-index ${flag} part/file`);
    await quiet.remove();
    const session = await done(`git update-index ${flag} part/file; echo mine > part/file`);
    expect(await lookAt(session)).toMatchObject({ dirty: 0 });
    const refused = { code: 'worktree_unsaved', message: expect.stringContaining('1 changed file') };
    await expect(session.remove()).rejects.toMatchObject(refused);
    await session.remove({ discard: true });
    expect(git('show', `refs/outlast/rescue/${session.id}:part/file`)).toBe('mine');
  },
);

test('what was staged is kept beside later changes', async () => {
  const session = await done('echo staged > part/file; git add part/file; echo later > part/file', { name: 'index' });
  await session.remove({ discard: true });
  const ref = `refs/outlast/rescue/${session.id}`;
  expect(git('show', `${ref}:part/file`)).toBe('later');
  expect(git('show', `${ref}^2:part/file`)).toBe('staged');
});

test('a daemon that dies in the middle of making one leaves nothing behind', async () => {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await using world = new World();
  const bin = join(world.state, 'own-bin');
  mkdirSync(bin);
  const deadly = `#!/bin/sh\n'${real}' "$@"; end=$?\ncase "$*" in *"worktree add"*) kill -9 $PPID;; esac\nexit $end\n`;
  writeFileSync(join(bin, 'git'), deadly, { mode: 0o755 });
  const path = world.env.PATH;
  world.env.PATH = `${bin}:${path}`;
  await world.start();
  const start = world.client.start({ shell: 'true', cwd: here.repository, worktree: 'half' });
  await expect(start).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(git('worktree', 'list')).toContain('[half]');
  world.env.PATH = path;
  await world.restart();
  await eventually(() => git('branch') === '* main');
  expect(readdirSync(join(world.state, 'worktrees'))).toEqual([]);
});
