import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { makeFolder, syncFolder } from '../../base/files.ts';
import { takeLock } from '../../base/lock.ts';
import { causeText } from '../../base/system-errors.ts';

const LOCK_MS_MAX = 5_000;
const LOCK_PAUSE_MS = 20;

/** The text of the config file; null: there is none. */
export function readText(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    throw new OutlastError('config_invalid', `cannot read ${file}: ${whyText(cause)}`, { cause });
  }
}

/**
 * Replaces the text of the config file: a reader sees the old one or the new one, also after a power cut. A link stays
 * a link, and the file keeps its mode and its owner.
 */
export function writeText(file: string, text: string): void {
  const real = realFile(file);
  const temporary = `${real}.${process.pid}.tmp`;
  try {
    makeFolder(dirname(real));
    const old = fs.statSync(real, { throwIfNoEntry: false });
    const opened = fs.openSync(temporary, 'wx', 0o600);
    try {
      fs.writeFileSync(opened, text);
      if (old !== undefined) keepOwner(opened, old);
      fs.fsyncSync(opened);
    } finally {
      fs.closeSync(opened);
    }
    fs.renameSync(temporary, real);
    syncFolder(dirname(real));
  } catch (cause) {
    fs.rmSync(temporary, { force: true });
    throw new OutlastError('config_invalid', `cannot write ${real}: ${whyText(cause)}; nothing was changed`, { cause });
  }
}

/** Runs while no other command changes the config of this state folder: of two changes at once none is lost. */
export async function alone<T>(state: string, clock: Clock, work: () => T): Promise<T> {
  makeFolder(state);
  const path = join(state, 'config-lock.db');
  const deadlineMs = clock.steadyMs() + LOCK_MS_MAX;
  let lock = takeLock(path);
  for (; lock === null; lock = takeLock(path)) {
    if (clock.steadyMs() > deadlineMs)
      throw new OutlastError('timed_out', `another command has been changing the config for ${LOCK_MS_MAX / 1000} s`);
    await clock.sleep(LOCK_PAUSE_MS);
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** The file that a link leads to, also where that does not exist yet. */
function realFile(file: string, hops = 0): string {
  const link = hops < 40 ? linkOf(file) : null;
  return link === null ? file : realFile(resolve(dirname(file), link), hops + 1);
}

function linkOf(file: string): string | null {
  try {
    return fs.readlinkSync(file);
  } catch {
    return null;
  }
}

function keepOwner(opened: number, { mode, uid, gid }: fs.Stats): void {
  const own = fs.fstatSync(opened);
  // First the owner: a change of it drops bits of the mode.
  if (own.uid !== uid || own.gid !== gid) fs.fchownSync(opened, uid, gid);
  fs.fchmodSync(opened, mode & 0o7777);
}

function whyText(error: unknown): string {
  const why = causeText(error);
  return ['EACCES', 'EPERM'].includes(errnoOf(error)) ? `${why}; look at its owner and mode with ls -l` : why;
}
