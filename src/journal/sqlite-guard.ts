import { isDamage } from './damage.ts';

/** Ends the program. After a failed sync it is not known what was written, and the next sync would report success. */
export type Fatal = (cause: unknown) => never;

/** A journal that ends the program when it meets damage in its file, however the caller would handle it. */
export function guarded<T extends object>(journal: T, fatal: Fatal): T {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(journal, {
    get(target, name) {
      const known = methods.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = (...words: unknown[]): unknown => {
        try {
          return Reflect.apply(value, target, words);
        } catch (error) {
          return isDamage(error) ? fatal(error) : raise(error);
        }
      };
      methods.set(name, method);
      return method;
    },
  });
}

/** Throws what it gets. */
export function raise(error: unknown): never {
  throw error;
}
