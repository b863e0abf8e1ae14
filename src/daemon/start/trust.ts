import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { makeFolder, writeDurably } from '../../base/files.ts';
import { causeText } from '../../base/system-errors.ts';

/** Whether the caller trusts a folder's own settings. */
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
  /** Files and folders of the workspace that the agent uses. */
  readonly ownFiles: readonly string[];
  /** The caller trusts the folder with this call. */
  readonly says: boolean;
  /** The agent would ask a person itself. */
  readonly asks: boolean;
  readonly nowMs: number;
}

/** The rules of a workspace: its allow rules apply while the folder is trusted. */
export const WORKSPACE_RULES = '.outlast/rules.json';

/** How many files of one workspace are checked; more is a mistake. */
const FILES_MAX = 5_000;

/**
 * Trust applies to the real path of a folder, until the files that the agent would use change. Without it an agent that
 * does not ask is not started where there is something to trust.
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
  // Rules alone need no trust: without it their allow rules are ignored.
  if (printOf(path, ownFiles) !== null && !asks)
    throw untrusted(`${path} has its own ${ownFiles.join(' or ')} and is not trusted`);
  return { trusted: false };
}

/** Reads a file or fails: what we cannot read cannot be checked, and the agent could not read it either. */
function readable<T>(workspace: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (errnoOf(cause) === '') throw cause;
    const what = cause instanceof Error && 'path' in cause ? String(cause.path) : workspace;
    throw new OutlastError('workspace_missing', `cannot read ${what}: ${causeText(cause)}`, { cause });
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
    // No record, or an unreadable one: trust has to be given again.
    return null;
  }
}

/** A fingerprint of the contents; null when there are none. */
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
