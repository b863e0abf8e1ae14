import { renameSync } from 'node:fs';
import { errnoOf } from '../base/errors.ts';
import { writeWhole } from '../base/files.ts';
import type { RunFolder } from './run-folder.ts';
import { readIfThere } from './small-file.ts';

type Places = Pick<RunFolder, 'update' | 'updateTaken' | 'updateWithdrawn'>;

/** Lays a text out for the hook after the next tool. It stands there as JSON, as the hook prints it. */
export function stageUpdate({ update }: Places, text: string): void {
  writeWhole(update, JSON.stringify(text));
}

/** Takes it back, unless a hook was there before. */
export function withdrawUpdate({ update, updateWithdrawn: offerBack }: Places): void {
  try {
    renameSync(update, offerBack);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

/** Where the text with this mark is. What was laid out before it is not meant. */
export function updatePlace(
  { update, updateTaken: offerTaken, updateWithdrawn: offerBack }: Places,
  mark: string,
): 'none' | 'out' | 'taken' | 'back' {
  const isIn = (path: string): boolean => readIfThere(path)?.includes(mark) === true;
  // In the order in which it moves: it cannot be missed.
  if (isIn(update)) return 'out';
  if (isIn(offerTaken)) return 'taken';
  return isIn(offerBack) ? 'back' : 'none';
}
