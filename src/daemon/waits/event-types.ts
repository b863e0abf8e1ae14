import { didYouMean } from '../../base/closest.ts';
import { OutlastError } from '../../base/errors.ts';
import { EVENT_TYPES } from '../../core/event-types.ts';

/** Refuses a type that no event has: the caller would wait for ever. */
export function checkTypes(types: readonly string[], field: string): void {
  const unknown = types.find((wanted) => !EVENT_TYPES.some((type) => isOfType(type, wanted)));
  if (unknown === undefined) return;
  throw new OutlastError(
    'input_invalid',
    `${field}: there is no event "${unknown}"${didYouMean(unknown, EVENT_TYPES) || '; docs/events.md lists them'}`,
  );
}

/** True when an event is of this type; a word that ends in a dot matches all types that begin with it. */
export function isOfType(type: string, wanted: string): boolean {
  return wanted.endsWith('.') ? type.startsWith(wanted) : type === wanted;
}
