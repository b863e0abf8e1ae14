import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { errnoOf } from '../../base/errors.ts';
import { writeWhole } from '../../base/files.ts';

/** The first line of a text whose beginning was dropped. */
const CUT_LINE = '[earlier text is left out here]\n';

/**
 * A growing text file, for `tail -F`: it is only appended to, or replaced when it exceeds its cap. Then the last
 * quarter is kept.
 */
export class TextLog {
  readonly #path: string;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(path: string, bytesMax: number) {
    this.#path = path;
    this.#bytesMax = bytesMax;
  }

  /** Sets the contents. Text that is already there is not written again, so that followers see nothing twice. */
  set(whole: string): void {
    const { text, isCut } = this.#capped(whole);
    const before = readUnlessMissing(this.#path);
    if (before !== null && !isCut && text.startsWith(before)) appendFileSync(this.#path, text.slice(before.length));
    else if (before !== text) writeWhole(this.#path, text);
    this.#bytes = statSync(this.#path).size;
  }

  add(text: string): void {
    if (text === '') return;
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > this.#bytesMax) return this.set((readUnlessMissing(this.#path) ?? '') + text);
    appendFileSync(this.#path, text, { mode: 0o600 });
    this.#bytes += bytes;
  }

  #capped(text: string): { readonly text: string; readonly isCut: boolean } {
    if (Buffer.byteLength(text) <= this.#bytesMax) return { text, isCut: false };
    const kept = Buffer.from(text).subarray(-Math.floor(this.#bytesMax / 4));
    // From the beginning of a line, if there is one, so that no character is cut either.
    const rest = kept.subarray(kept.indexOf(0x0a) + 1).toString('utf8');
    return { text: CUT_LINE + rest.replace(/^\uFFFD+/, ''), isCut: true };
  }
}

function readUnlessMissing(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
