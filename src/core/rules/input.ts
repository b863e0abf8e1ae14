/** A field of what a tool is given; undefined when there is none. */
export function fieldOf(input: unknown, name: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, name)) return undefined;
  return Reflect.get(input, name);
}
