import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import type { StateFile, StateRead } from '../agent/seam/live.ts';
import { filesAmong, type RecordFiles, type RecordSource } from '../agent/seam/record.ts';
import { errnoOf } from '../base/errors.ts';
import { isGone, readIfThere } from '../terminal/small-file.ts';

/** The files that were modified since then. */
export function writtenSince(sources: readonly RecordSource[], sinceMs: number): string[] {
  return filesAmong(sources).filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs);
}

/** Read access to this machine's files for adapters. */
export interface AskedFiles extends RecordFiles {
  /** What may be there and cannot be read now. What was looked for there is not known to be absent. */
  readonly unread: readonly string[];
}

/** Answers what an adapter asks about files, and keeps what could not be answered. */
export function askedFiles(): AskedFiles {
  const unread: string[] = [];
  const answered = <T>(path: string, ask: () => T, otherwise: T): T => {
    try {
      return ask();
    } catch (error) {
      if (errnoOf(error) === '') throw error;
      if (!isGone(error)) unread.push(path);
      return otherwise;
    }
  };
  return {
    unread,
    names: (path) => answered(path, () => readdirSync(path), []),
    isThere: (path) => answered(path, () => isReadable(path), false),
  };
}

/** A readable file with content. */
function isReadable(path: string): boolean {
  accessSync(path, constants.R_OK);
  const stat = statSync(path);
  return stat.isFile() && stat.size > 0;
}

/** The state that the agent recorded in its state file, if that is about the process we watch. */
export function stateOf(file: StateFile, env: Readonly<Record<string, string>>, pid: number): StateRead | null {
  const text = readIfThere(file.path(env, pid));
  const state = text === null ? null : file.read(text.toString('utf8'));
  return state?.pid === pid ? state : null;
}
