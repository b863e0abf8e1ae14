import * as z from 'zod';

/**
 * The first thing in an input that the contract does not know; null: there is none. A caller that is newer than this
 * daemon may ask for something that matters, a gate for example: it must hear that nobody would heed it.
 */
export function unknownKey(schema: z.ZodType, value: unknown, path: readonly string[] = []): string | null {
  const known = objectIn(schema);
  if (known === null || typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const place = [...path, key];
    const field = Object.hasOwn(known.shape, key) ? known.shape[key] : undefined;
    if (field === undefined) return `${place.join('.')}: unknown; there is ${Object.keys(known.shape).join(', ')}`;
    const inside = unknownKey(field as z.ZodType, part, place);
    if (inside !== null) return inside;
  }
  return null;
}

/** What may be left out or null is still an object. A choice of several says itself what it takes. */
function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapped ? objectIn(schema.unwrap() as z.ZodType) : null;
}
