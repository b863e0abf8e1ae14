import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { makeWorld, type World } from '../world.ts';

let world: World;
let repository: string;

/** Gives every test of a file a repository with one commit, and all of them one daemon. */
export function useRepository(): { readonly world: World; readonly repository: string } {
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());
  beforeEach(() => {
    repository = realpathSync(mkdtempSync(join(tmpdir(), 'outlast-repo-')));
    git('init', '-q', '-b', 'main');
    mkdirSync(join(repository, 'part'));
    writeFileSync(join(repository, 'part', 'file'), 'one\n');
    git('add', '.');
    commit('first');
  });
  afterEach(() => rmSync(repository, { recursive: true, force: true }));
  return {
    get world() {
      return world;
    },
    get repository() {
      return repository;
    },
  };
}

export function gitIn(folder: string, ...words: string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...who, ...words], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

export const git = (...words: string[]): string => gitIn(repository, ...words);

export const commit = (message: string, folder = repository): string => gitIn(folder, 'commit', '-q', '-am', message);

/** A line of shell that changes the file of the repository and commits it. */
export const change = (word: string): string =>
  `echo ${word} > part/file; git -c user.name=t -c user.email=t@example commit -qam ${word}`;

/** A session in a worktree that has run the shell line, and ended. */
export async function done(
  shell: string,
  more: { worktree?: string; name?: string; cwd?: string } = {},
): Promise<Session> {
  const session = await world.client.start({ shell, cwd: repository, worktree: '', ...more });
  await session.wait();
  return session;
}

export const folderOf = async (session: Session): Promise<string> => (await session.show()).session.workspace;

export const lookAt = async (session: Session) => (await session.show()).session.worktree;
