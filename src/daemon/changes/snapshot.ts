import { constants, promises as fs } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type Place, type Said, shadowGit } from './shadow.ts';

/** The files of a folder at one time, as a tree of git. */
export interface Tree {
  readonly tree: string;
  /** Files that are not in it, and why; only the first ones. */
  readonly skipped: readonly string[];
}

const FILES_MAX = 10_000;
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const ALL_BYTES_MAX = 64 * 1024 * 1024;
const NAMED_MAX = 20;
const LISTED_BYTES_MAX = 8 * 1024 * 1024;
/** How many files are looked at before other work gets its turn. */
const AT_ONCE = 64;

/** Stores what has changed in a folder since the last time, and returns all of it as a tree. */
export async function snapshot(place: Place, clock: Clock): Promise<Tree | { readonly why: string }> {
  const git = (words: readonly string[], more: { input?: Uint8Array; bytesMax?: number } = {}): Promise<Said> =>
    shadowGit(place, words, clock, more);
  const which = ['--modified', '--deleted', '--others', '--exclude-standard'];
  const listed = await git(['ls-files', '-z', ...which], { bytesMax: LISTED_BYTES_MAX });
  if (!listed.ok) return listed;
  const names = [...new Set(listed.out.toString('utf8').split('\0'))].filter((name) => name !== '');
  if (names.length > FILES_MAX) return { why: `${names.length} files have changed, at most ${FILES_MAX} can be kept` };
  const { taken, skipped } = await chosen(place.root, names);
  if (taken.length > 0) {
    const input = Buffer.from(taken.map((name) => `${name}\0`).join(''));
    const added = await git(['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { input });
    if (!added.ok) return added;
  }
  const written = await git(['write-tree']);
  return written.ok ? { tree: written.out.toString().trim(), skipped } : written;
}

/** Of the changed files, those that are small enough and can be read. One that is gone is among them. */
async function chosen(root: string, names: readonly string[]): Promise<{ taken: string[]; skipped: string[] }> {
  const [taken, skipped]: [string[], string[]] = [[], []];
  let bytes = 0;
  for (let from = 0; from < names.length; from += AT_ONCE) {
    const some = names.slice(from, from + AT_ONCE);
    const sizes = await Promise.all(some.map((name) => sizeOf(join(root, name))));
    for (const [i, name] of some.entries()) {
      const size = sizes[i] ?? 'unreadable';
      const why =
        typeof size === 'string' ? size : size > FILE_BYTES_MAX || bytes + size > ALL_BYTES_MAX ? 'too large' : '';
      if (why === '') taken.push(name);
      else skipped.push(`${name}: ${why}`);
      if (why === '' && typeof size === 'number') bytes += size;
    }
  }
  const more = skipped.length - NAMED_MAX;
  return { taken, skipped: more > 0 ? [...skipped.slice(0, NAMED_MAX), `and ${more} more`] : skipped };
}

async function sizeOf(path: string): Promise<number | string> {
  try {
    const stat = await fs.lstat(path);
    if (stat.isDirectory()) return 'a repository of its own';
    if (stat.isSymbolicLink()) return 0;
    if (!stat.isFile()) return 'not a file';
    await fs.access(path, constants.R_OK);
    return stat.size;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? 'cannot be read' : 0;
  }
}
