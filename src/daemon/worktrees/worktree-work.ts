import { existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SessionView } from '../../api/shapes.ts';
import type { Git, Gone } from './git.ts';

// Without locks: the agent may be working. Includes everything, whatever the repository's settings exclude.
const WHOLE = ['--untracked-files=normal', '--ignore-submodules=none'];
const OVERLOOKED_MAX = 1_000;
const STATUS = ['--no-optional-locks', 'status', '--porcelain=v2', '--branch', ...WHOLE];

/** The contents of a worktree: its branch, changed files, and commits that are on no other branch, tag or remote. */
export async function lookAt(
  git: Git,
  root: string,
  repository: string,
): Promise<NonNullable<SessionView['worktree']> | null> {
  const status = await git(root, STATUS);
  if (!status.ok) return null;
  const lines = status.out.split('\n').filter((line) => line !== '');
  const head = lines.find((line) => line.startsWith('# branch.head '))?.slice('# branch.head '.length) ?? '';
  const branch = head === '(detached)' ? null : head;
  const ahead = await ownCommits(git, root, 'HEAD', branch);
  if (ahead === null) return null;
  const dirty = lines.filter((line) => !line.startsWith('#')).length;
  return { repository, branch, dirty, ahead };
}

/**
 * How many files have changed that git was told to ignore. Checked before they would be lost; in a list they do not
 * matter.
 */
export async function overlooked(git: Git, root: string): Promise<number> {
  const listed = await git(root, ['-c', 'core.quotePath=false', 'ls-files', '-v', '-s']);
  const flagged = (listed.ok ? listed.out : '').split('\n').flatMap((line) => {
    const [, id = '', path = ''] = /^[a-zS] \d+ (\w+) 0\t(.*)$/.exec(line) ?? [];
    return path !== '' && existsSync(join(root, path)) ? [{ id, path }] : [];
  });
  // Many of them are a way to work, not files that someone hides.
  const asked = flagged.slice(0, OVERLOOKED_MAX);
  if (asked.length === 0) return 0;
  const hashed = await git(root, ['hash-object', '--', ...asked.map(({ path }) => path)]);
  const ids = hashed.ok ? hashed.out.split('\n') : [];
  return asked.filter(({ id }, index) => id !== ids[index]).length;
}

/** True when a branch has commits that are nowhere else, or git fails. */
export async function hasOwnWork(git: Git, repository: string, branch: string): Promise<boolean> {
  return (await ownCommits(git, repository, `refs/heads/${branch}`, branch)) !== 0;
}

async function ownCommits(git: Git, cwd: string, of: string, branch: string | null): Promise<number | null> {
  const others = [...(branch === null ? [] : [`--exclude=${branch}`]), '--branches'];
  const own = await git(cwd, ['rev-list', '--count', of, '--not', '--remotes', '--tags', ...others]);
  return own.ok ? Number(own.out) : null;
}

/** The repository of a folder; of a worktree, the main one, which outlives it. */
export async function repositoryOf(git: Git, cwd: string): Promise<Gone> {
  const top = await git(cwd, ['rev-parse', '--show-toplevel']);
  const folders = await git(cwd, ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir']);
  if (!top.ok || !folders.ok) return top.ok ? folders : top;
  const [own, common = ''] = folders.out.split('\n');
  if (own === common) return top;
  return { ok: true, out: basename(common) === '.git' ? dirname(common) : common };
}

/** Saves everything, including untracked files, as a commit under its own ref. Returns the name of the ref. */
export async function rescue(git: Git, root: string, id: string): Promise<Gone> {
  const folder = await git(root, ['rev-parse', '--path-format=absolute', '--git-dir']);
  if (!folder.ok) return folder;
  // A separate index: whatever happens now, the worktree stays unchanged.
  const index = join(folder.out, 'outlast-rescue');
  const env = { GIT_INDEX_FILE: index };
  try {
    const begun = await git(root, ['read-tree', 'HEAD'], env);
    const added = begun.ok ? await git(root, ['add', '--all'], env) : begun;
    const inner = added.ok ? await git(root, ['diff-index', '--cached', '--raw', 'HEAD'], env) : added;
    const repositories = inner.ok ? inner.out.split('\n').filter((line) => /^:\d+ 160000 /.test(line)) : [];
    if (repositories.length > 0) return { ok: false, why: `${names(repositories)} is a nested repository` };
    const tree = inner.ok ? await git(root, ['write-tree'], env) : inner;
    return tree.ok ? await keep(git, root, id, tree.out) : tree;
  } finally {
    rmSync(index, { force: true });
  }
}

/** True when it has nested repositories that no ref can save: git keeps their data with the worktree's. */
export async function hasSubmodules(git: Git, root: string): Promise<boolean> {
  const folder = await git(root, ['rev-parse', '--path-format=absolute', '--git-dir']);
  return !folder.ok || existsSync(join(folder.out, 'modules'));
}

function names(lines: readonly string[]): string {
  return lines.map((line) => line.split('\t')[1] ?? '').join(', ');
}

async function keep(git: Git, root: string, id: string, tree: string): Promise<Gone> {
  const ref = `refs/outlast/rescue/${id}`;
  const staged = await stagedOf(git, root, id, tree);
  const parents = ['-p', 'HEAD', ...staged.flatMap((parent) => ['-p', parent])];
  const commit = await git(root, ['commit-tree', tree, ...parents, '-m', `Rescued from session ${id}`]);
  if (!commit.ok) return commit;
  const kept = await git(root, ['update-ref', ref, commit.out]);
  return kept.ok ? { ok: true, out: ref } : kept;
}

/** Like a stash: staged content that is no longer in the files is a second parent. In a conflict nothing is staged. */
async function stagedOf(git: Git, root: string, id: string, tree: string): Promise<string[]> {
  const staged = await git(root, ['write-tree']);
  const head = await git(root, ['rev-parse', 'HEAD^{tree}']);
  if (!staged.ok || !head.ok || [tree, head.out].includes(staged.out)) return [];
  const commit = await git(root, ['commit-tree', staged.out, '-p', 'HEAD', '-m', `Staged in session ${id}`]);
  return commit.ok ? [commit.out] : [];
}
