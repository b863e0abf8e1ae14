import { closest } from '../base/closest.ts';
import { wrongCall } from '../base/parse.ts';
import type { ParsedYaml, Way } from './yaml.ts';

const TOLD_MAX = 20;

/** What is wrong with a file, each with its line. All of it is told at once. */
export class Mistakes {
  readonly #file: string;
  readonly #parsed: ParsedYaml;
  readonly #told: { readonly line: number; readonly text: string }[] = [];

  constructor(file: string, parsed: ParsedYaml) {
    this.#file = file;
    this.#parsed = parsed;
    for (const { place, message } of parsed.errors) this.#put(place, message);
  }

  add(way: Way, message: string): void {
    this.#put(this.#parsed.placeOf(way), message);
  }

  /** Keys that nobody knows, with the closest one that is known. */
  checkKeys(way: Way, value: object, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const near = closest(key, known);
      const hint = near === null ? `there are: ${known.join(', ')}` : `did you mean "${near}"?`;
      this.add([...way, key], `there is no key "${key}" here; ${hint}`);
    }
  }

  /** Throws when there are any. */
  raise(): void {
    if (this.#told.length === 0) return;
    const lines = this.#told.toSorted((a, b) => a.line - b.line).map(({ text }) => text);
    const few = lines.slice(0, TOLD_MAX);
    const more = lines.length > few.length ? [`… and ${lines.length - few.length} more`] : [];
    const [only = ''] = few;
    throw wrongCall(lines.length === 1 ? only : [`${lines.length} mistakes`, ...few, ...more].join('\n  '));
  }

  #put({ line, column }: { line: number; column: number }, message: string): void {
    const text = `${this.#file}:${line}:${column}: ${message}`;
    // A template that is used often is wrong once.
    if (!this.#told.some((each) => each.text === text)) this.#told.push({ line, text });
  }
}
