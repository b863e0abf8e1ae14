import { linearPattern } from '../../base/linear-pattern.ts';
import { asFields, type Fields, readObject } from '../seam/json.ts';
import type { Finder } from './entry.ts';

/** How much of a line expressions see. */
const LINE_CHARS_MAX = 8_192;

/** One line that a program printed. It is parsed once, and only if that is wanted. */
export class PrintedLine {
  readonly text: string;
  #fields: Fields | null | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get fields(): Fields | null {
    if (this.#fields === undefined) this.#fields = this.text.includes('{') ? readObject(this.text) : null;
    return this.#fields;
  }
}

/** Returns what is found in a line; null: nothing. */
export type Find = (line: PrintedLine) => string | null;

/** The function of a finder of the config. */
export function findBy(finder: Finder): Find {
  if ('regex' in finder) {
    const matches = patternOf(finder.regex);
    return ({ text }) => {
      const match = matches(text);
      return match === null ? null : (match[1] ?? match[0]);
    };
  }
  const { json, when = {} } = finder;
  const wanted = Object.entries(when);
  return ({ fields }) => {
    if (fields === null || !wanted.every(([path, value]) => valueAt(fields, path) === value)) return null;
    return textOf(valueAt(fields, json));
  };
}

/** An expression of the config, which was checked when the config was read. */
export function patternOf(source: string): (text: string) => RegExpExecArray | null {
  const compiled = linearPattern(source);
  if (compiled.is === 'refused') throw new Error(compiled.why);
  return (text) => compiled.pattern.exec(text.slice(0, LINE_CHARS_MAX));
}

/** The value at a place such as `message.content.0.text`; undefined: there is none. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    const fields = asFields(at);
    return fields !== null && Object.hasOwn(fields, key) ? fields[key] : undefined;
  }, value);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
