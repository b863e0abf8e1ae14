import { OutlastError } from '../../base/errors.ts';
import type { Journal, Position } from '../../journal/journal.ts';

type Named = Pick<Journal, 'id'>;

/** A position in the journal as callers get it: its number, and a cursor that also names the journal. */
export function placeAt({ id }: Named, position: number): { readonly position: number; readonly after: string } {
  return { position, after: `${id}-${position}` };
}

/** The position of a cursor. A cursor of another journal is refused: there it meant something else. */
export function positionOf({ id }: Named, cursor: string | number): Position {
  const [, journal, digits] = /^(?:([0-9a-z]+)-)?(\d+)$/.exec(String(cursor)) ?? [];
  if (digits === undefined) throw new OutlastError('input_invalid', `"${cursor}" is neither a cursor nor a position`);
  if (journal === undefined || journal === id) return Number(digits) as Position;
  throw new OutlastError('cursor_foreign', `the cursor ${cursor} is of another journal; this one is ${id}`);
}
