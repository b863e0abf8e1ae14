import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { makeFolder, writeDurably } from '../../base/files.ts';

/** Whether the caller has said that an agent may act on what a folder's own settings say. */
export interface Trust {
  readonly trusted: boolean;
}

interface Word {
  readonly path: string;
  readonly print: string;
  readonly atMs: number;
}

interface Asked {
  readonly state: string;
  readonly workspace: string;
  /** Files and folders of the workspace that the agent acts on. */
  readonly ownFiles: readonly string[];
  /** The caller says so now. */
  readonly says: boolean;
  /** The agent would ask a person itself. */
  readonly asks: boolean;
  readonly nowMs: number;
}

/** The rules of a workspace: what they allow holds as long as the word does. */
export const WORKSPACE_RULES = '.outlast/rules.json';

/** Files of one workspace that are looked at; more than that is somebody's mistake. */
const FILES_MAX = 5_000;

/**
 * A word given once holds for the real path of a folder, until what the agent would act on there changes. Without it
 * an agent that asks nobody is not started where there is something to trust.
 */
export function trustOf({ state, workspace, ownFiles, says, asks, nowMs }: Asked): Trust {
  const path = readable(workspace, () => realpathSync(workspace));
  const print = readable(path, () => printOf(path, [...ownFiles, WORKSPACE_RULES]));
  const file = wordFile(state, path);
  if (says) {
    makeFolder(join(state, 'trust'));
    writeDurably(file, JSON.stringify({ path, print: print ?? '', atMs: nowMs } satisfies Word));
    return { trusted: true };
  }
  const word = readWord(file);
  if (word?.path === path && word.print === (print ?? '')) return { trusted: true };
  if (word?.path === path) {
    const files = [...ownFiles, WORKSPACE_RULES].join(' or ');
    throw untrusted(`${path} has changed its ${files} since it was trusted`);
  }
  // Rules alone need no word: what they allow is not taken without one.
  if (printOf(path, ownFiles) !== null && !asks)
    throw untrusted(`${path} has ${ownFiles.join(' or ')} of its own, and nobody trusted it`);
  return { trusted: false };
}

/** What cannot be read cannot be looked at, and the agent could not read it either. */
function readable<T>(workspace: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (errnoOf(cause) === '') throw cause;
    const what = cause instanceof Error && 'path' in cause ? String(cause.path) : workspace;
    throw new OutlastError('workspace_missing', `cannot read ${what}: ${errnoOf(cause)}`, { cause });
  }
}

function untrusted(message: string): OutlastError {
  return new OutlastError('workspace_untrusted', message);
}

function wordFile(state: string, path: string): string {
  return join(state, 'trust', `${createHash('sha256').update(path).digest('hex')}.json`);
}

function readWord(file: string): Word | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Word;
  } catch {
    // No word, or none that can be read: then it has to be given again.
    return null;
  }
}

/** Tells one content from another; null when there is none. */
function printOf(workspace: string, ownFiles: readonly string[]): string | null {
  const hash = createHash('sha256');
  let count = 0;
  for (const name of ownFiles) {
    for (const file of filesBelow(join(workspace, name))) {
      count += 1;
      if (count > FILES_MAX) throw untrusted(`${workspace} has more than ${FILES_MAX} files of its own to trust`);
      hash
        .update(`${file.slice(workspace.length)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return count === 0 ? null : hash.digest('hex');
}

function filesBelow(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [path];
  if (!stat.isDirectory()) return [];
  const byName = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : 1);
  return readdirSync(path, { withFileTypes: true })
    .sort(byName)
    .flatMap((entry) => filesBelow(join(path, entry.name)));
}
