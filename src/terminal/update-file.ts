import { renameSync } from 'node:fs';
import { errnoOf } from '../base/errors.ts';
import { writeWhole } from '../base/files.ts';
import type { RunFolder } from './run-folder.ts';
import { readIfThere } from './small-file.ts';

type Places = Pick<RunFolder, 'update' | 'updateTaken' | 'updateWithdrawn'>;

/** Stages a text for the hook after the next tool, as the JSON that the hook prints. */
export function stageUpdate({ update }: Places, text: string): void {
  writeWhole(update, JSON.stringify(text));
}

/** Withdraws a staged text, unless a hook has delivered it already. */
export function withdrawUpdate({ update, updateWithdrawn: offerBack }: Places): void {
  try {
    renameSync(update, offerBack);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Where the text with this id is. A text that was staged earlier does not count. */
export function updatePlace(
  { update, updateTaken: offerTaken, updateWithdrawn: offerBack }: Places,
  mark: string,
): 'none' | 'out' | 'taken' | 'back' {
  const isIn = (path: string): boolean => readIfThere(path)?.includes(mark) === true;
  // Checked in the order in which the file moves, so it cannot be missed.
  if (isIn(update)) return 'out';
  if (isIn(offerTaken)) return 'taken';
  return isIn(offerBack) ? 'back' : 'none';
}
