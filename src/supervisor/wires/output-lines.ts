import { type FSWatcher, watch } from 'node:fs';
import { errnoOf } from '../../base/errors.ts';
import { letOthers } from '../../base/others.ts';
import { LinePieces, type PlacedLine } from '../../terminal/line-pieces.ts';

/** Reads the whole lines of a file that another process appends to, from a position. */
export class OutputLines {
  readonly #path: string;
  readonly #onChange: () => void;
  readonly #pieces: LinePieces;
  /** What was read and not yet given. */
  #lines: readonly PlacedLine[] = [];
  #watcher: FSWatcher | null = null;
  #isClosed = false;

  constructor(path: string, fromBytes: number, onChange: () => void) {
    this.#path = path;
    this.#pieces = new LinePieces(path, { fromBytes });
    this.#onChange = onChange;
  }

  /** Reads until there is a whole line or no more of the file, with a turn of the event loop after each piece. */
  async readOn(): Promise<void> {
    while (this.#lines.length === 0) {
      const { lines, isMore } = this.#pieces.next();
      this.#lines = lines;
      if (!isMore) return;
      if (lines.length === 0) await letOthers();
    }
  }

  /** The next lines; at most a piece of the file is read for them. When there is more, it is said that it changed. */
  next(): readonly PlacedLine[] {
    this.#watch();
    const known = this.#lines;
    this.#lines = [];
    if (known.length > 0) return known;
    const { lines, isMore } = this.#pieces.next();
    // The rest is read later, so that other work gets its turn.
    if (isMore) setImmediate(() => this.#isClosed || this.#onChange());
    return lines;
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** The file may not have existed before. If the watch fails, the periodic look finds the lines. */
  #watch(): void {
    if (this.#watcher !== null) return;
    try {
      const watcher = watch(this.#path, { persistent: false }, this.#onChange);
      watcher.on('error', () => watcher.close());
      this.#watcher = watcher;
    } catch (error) {
      if (errnoOf(error) === '') throw error;
    }
  }
}
