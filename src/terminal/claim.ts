import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { causeText } from '../base/system-errors.ts';
import { runFolder } from './run-folder.ts';
import type { RunRef } from './terminal.ts';

/**
 * Claims a run that is not claimed yet, so that a launcher that is about to start finds it taken and starts nothing.
 */
export function claimUnstarted(state: string, ref: RunRef): void {
  const files = runFolder(state, ref);
  try {
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    writeFileSync(files.claim, '', { flag: 'wx', mode: 0o600 });
    ageClaim(state, ref);
  } catch (cause) {
    // The launcher was faster: then there is a process to end.
    if (errnoOf(cause) === 'EEXIST') return;
    throw new OutlastError('terminal_failed', `cannot claim ${files.folder}: ${causeText(cause)}`, { cause });
  }
}

/** Makes a claim look old, so that no caller waits any longer for its launcher to sign. */
export function ageClaim(state: string, ref: RunRef): void {
  utimesSync(runFolder(state, ref).claim, 0, 0);
}
