import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { type RunFolder, runFolder } from './run-folder.ts';
import type { RunRef } from './terminal.ts';

/** The file that says that a run was claimed to keep it from ever starting. */
export function closedMark(files: RunFolder): string {
  return join(files.claim, 'closed');
}

/** Claims a run that nobody claimed, so that a launcher on its way will find it taken and start nothing. */
export function claimForNobody(state: string, ref: RunRef): void {
  const files = runFolder(state, ref);
  try {
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    mkdirSync(files.claim);
    writeFileSync(closedMark(files), '');
  } catch (cause) {
    // The launcher was faster: then there is a process to end.
    if (errnoOf(cause) === 'EEXIST') return;
    throw new OutlastError('terminal_failed', `cannot claim ${files.folder}: ${errnoOf(cause)}`, { cause });
  }
}
