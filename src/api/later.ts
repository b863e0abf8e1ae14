import type * as z from 'zod';

/** Creates a value on first use: a daemon uses few of all schemas in its life, and each takes time to make. */
export function later<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** The input and output of an operation. */
export function operation<I extends z.ZodType, O extends z.ZodType>(
  input: () => I,
  output: () => O,
): { readonly input: I; readonly output: O } {
  const [inputOnce, outputOnce] = [later(input), later(output)];
  return {
    get input() {
      return inputOnce();
    },
    get output() {
      return outputOnce();
    },
  };
}
