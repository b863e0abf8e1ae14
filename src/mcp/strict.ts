import * as z from 'zod';

/** A shape of the contract as a tool expects it: numbers are numbers and yes/no is a boolean, never strings. */
export type Strict<S extends z.ZodRawShape> = { [K in keyof S]: z.ZodType<z.output<S[K]>> };

/**
 * Removes the coercion from a shape. The contract has it because query parameters arrive as strings; here a wrong type
 * is a mistake of the caller, and is reported.
 */
export function strictly<S extends z.ZodRawShape>(shape: S): Strict<S> {
  const entries = Object.entries(shape).map(([key, field]) => [key, strict(field as z.ZodType)]);
  return Object.fromEntries(entries) as Strict<S>;
}

/** A field with another default and the same description. */
export function otherwise<T extends z.ZodType>(field: z.ZodDefault<T>, value: z.output<T>): z.ZodType<z.output<T>> {
  const made = field.removeDefault().default(value as never);
  return (field.description === undefined ? made : made.describe(field.description)) as z.ZodType<z.output<T>>;
}

function strict(field: z.ZodType): z.ZodType {
  const made = without(field);
  return field.description === undefined || made === field ? made : made.describe(field.description);
}

function without(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodOptional) return strict(field.unwrap() as z.ZodType).optional();
  if (field instanceof z.ZodDefault) return strict(field.unwrap() as z.ZodType).default(field.def.defaultValue);
  if (field instanceof z.ZodNumber) return field.clone({ ...field.def, coerce: false });
  if (field instanceof z.ZodUnion) return withoutWords(field);
  return field;
}

/** Of a union of a type and strings for it, the type. */
function withoutWords(field: z.ZodUnion): z.ZodType {
  const plain = field.options.filter((option) => !(option instanceof z.ZodPipe)) as z.ZodType[];
  return plain.length === 1 && plain[0] !== undefined ? plain[0] : field;
}
