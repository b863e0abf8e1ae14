import { OutlastError } from '../../base/errors.ts';
import type { Journal, Position } from '../../journal/journal.ts';

type Named = Pick<Journal, 'id'>;

/** A place in the journal as callers get it: its number, and the cursor that says in which journal it is. */
export function placeAt({ id }: Named, position: number): { readonly position: number; readonly after: string } {
  return { position, after: `${id}-${position}` };
}

/** The position that a cursor stands for. One of another journal is refused: there, it stood for something else. */
export function positionOf({ id }: Named, cursor: string | number): Position {
  const [, journal, digits] = /^(?:([0-9a-z]+)-)?(\d+)$/.exec(String(cursor)) ?? [];
  if (digits === undefined) throw new OutlastError('input_invalid', `"${cursor}" is neither a cursor nor a position`);
  if (journal === undefined || journal === id) return Number(digits) as Position;
  throw new OutlastError('cursor_foreign', `the cursor ${cursor} is of another journal; this one is ${id}`);
}
