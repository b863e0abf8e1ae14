import { OutlastError } from '../../base/errors.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';

/** Refuses a type that no event will ever have: whoever asked for it would wait for ever. */
export function checkTypes(types: readonly string[], field: string): void {
  const unknown = types.find((wanted) => !EVENT_TYPES.some((type) => isOfType(type, wanted)));
  if (unknown === undefined) return;
  throw new OutlastError('input_invalid', `${field}: no event is called "${unknown}"; docs/events.md has all names`);
}

/** Tells whether an event is of this type; a word that ends in a dot stands for all that begin so. */
export function isOfType(type: string, wanted: string): boolean {
  return wanted.endsWith('.') ? type.startsWith(wanted) : type === wanted;
}
