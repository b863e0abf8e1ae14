import { closest } from '../../base/closest.ts';
import { wrongCall } from '../base/parse.ts';
import type { ParsedYaml, Way } from './yaml.ts';

const TOLD_MAX = 20;

/** The mistakes in a file, each with its line. All are reported at once. */
export class Mistakes {
  readonly #file: string;
  readonly #parsed: ParsedYaml;
  readonly #found: { readonly line: number; readonly text: string }[] = [];

  constructor(file: string, parsed: ParsedYaml) {
    this.#file = file;
    this.#parsed = parsed;
    for (const { place, message } of parsed.errors) this.#put(place, message);
  }

  add(way: Way, message: string): void {
    this.#put(this.#parsed.placeOf(way), message);
  }

  /** Unknown keys, with the closest known one. */
  checkKeys(way: Way, value: object, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const near = closest(key, known);
      const hint = near === null ? `available: ${known.join(', ')}` : `did you mean "${near}"?`;
      this.add([...way, key], `there is no key "${key}" here; ${hint}`);
    }
  }

  /** Throws when there are any. */
  raise(): void {
    if (this.#found.length === 0) return;
    const lines = this.#found.toSorted((a, b) => a.line - b.line).map(({ text }) => text);
    const few = lines.slice(0, TOLD_MAX);
    const more = lines.length > few.length ? [`… and ${lines.length - few.length} more`] : [];
    const [only = ''] = few;
    throw wrongCall(lines.length === 1 ? only : [`${lines.length} mistakes`, ...few, ...more].join('\n  '));
  }

  #put({ line, column }: { line: number; column: number }, message: string): void {
    const text = `${this.#file}:${line}:${column}: ${message}`;
    // A mistake in a template that is used often is reported once.
    if (!this.#found.some((each) => each.text === text)) this.#found.push({ line, text });
  }
}
