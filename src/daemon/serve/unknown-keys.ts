import * as z from 'zod';

/**
 * The first unknown key in an input; null: there is none. A caller that is newer than this daemon may ask for something
 * that matters, a gate for example: it must learn that the daemon would ignore it.
 */
export function unknownKey(schema: z.ZodType, value: unknown, path: readonly string[] = []): string | null {
  const known = objectIn(schema);
  if (known === null || typeof value !== 'object' || value === null) return null;
  for (const [key, part] of Object.entries(value)) {
    const place = [...path, key];
    const field = Object.hasOwn(known.shape, key) ? known.shape[key] : undefined;
    if (field === undefined)
      return `${place.join('.')}: unknown key; known here: ${Object.keys(known.shape).join(', ')}`;
    const inside = unknownKey(field as z.ZodType, part, place);
    if (inside !== null) return inside;
  }
  return null;
}

/** The object schema inside optional and nullable ones. A union checks its keys itself. */
function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapped ? objectIn(schema.unwrap() as z.ZodType) : null;
}
