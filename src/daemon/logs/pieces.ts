import type { LogLine } from '../../api/logs-shape.ts';
import type { LiveText } from '../../supervisor/live-texts.ts';

/** Tells what an agent is writing, piece by piece, as long as it is not recorded. */
export class Pieces {
  readonly #texts: () => readonly LiveText[];
  /** The text that is told, and how many of its characters. */
  #told = { number: 0, chars: 0 };

  constructor(texts: () => readonly LiveText[]) {
    this.#texts = texts;
  }

  /** The pieces that are new. A text that is recorded already is not told again. */
  next(recorded: readonly string[], turn: number, atMs: number): LogLine[] {
    return this.#texts().flatMap(({ number, text }): LogLine[] => {
      if (number < this.#told.number) return [];
      const from = number === this.#told.number ? this.#told.chars : 0;
      const isRecorded = from === 0 && text.trim() !== '' && recorded.some((each) => each.startsWith(text.trim()));
      this.#told = { number, chars: text.length };
      if (text.length === from || isRecorded) return [];
      return [{ id: `writing ${number}`, is: 'piece', atMs, turn, text: text.slice(from), from }];
    });
  }
}
