import type { LineReader } from '../agent/seam/lines.ts';
import { LineTail } from './line-tail.ts';

/** Reads a file incrementally, with a reader that keeps its state. */
export class RecordTail<S, V> {
  readonly #reader: LineReader<S, V>;
  readonly #tail: LineTail;
  #known: S;
  #view: { readonly of: S; readonly is: V } | null = null;
  #bytesMax = 0;

  constructor(path: string, reader: LineReader<S, V>) {
    this.#reader = reader;
    this.#known = reader.empty;
    this.#tail = new LineTail(path, {
      take: (lines) => {
        this.#known = reader.read(this.#known, lines);
      },
      restart: () => {
        this.#known = reader.empty;
      },
    });
  }

  get path(): string {
    return this.#tail.path;
  }

  /** There is more of the file before the part that was read. */
  get isCut(): boolean {
    return this.#tail.isCut;
  }

  /** What stands behind the last line feed. */
  get rest(): string {
    return this.#tail.rest;
  }

  /** The current state. */
  get view(): V {
    if (this.#view?.of !== this.#known) this.#view = { of: this.#known, is: this.#reader.view(this.#known) };
    return this.#view.is;
  }

  /** Reads what was written since. If the end that was read first is not enough, a longer one is read. */
  async readOn(bytesMax: number): Promise<void> {
    if (this.isCut && bytesMax > this.#bytesMax) this.#tail.forget();
    this.#bytesMax = Math.max(this.#bytesMax, bytesMax);
    await this.#tail.readOn(this.#bytesMax);
  }

  /** Changes the state, for example to drop what is no longer needed. */
  change(change: (known: S) => S): void {
    this.#known = change(this.#known);
  }
}
