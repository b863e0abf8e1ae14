/** A field of a tool's input; undefined if it is missing. */
export function fieldOf(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return undefined;
  return Reflect.get(input, name);
}
