import type { Fields } from './json.ts';

/** Work that runs in the background. The end of each item begins a turn, with a text that reports it. */
export class Background {
  readonly #running = new Map<Promise<string>, Fields>();
  readonly #brief = new Set<Promise<string>>();
  readonly #over: string[] = [];
  #waiting: ((text: string | null) => void) | null = null;

  /** The running items, in the format of hooks. */
  get running(): readonly Fields[] {
    return [...this.#running.values()];
  }

  /** Adds an item. A brief one ends before the model speaks again. */
  add(about: Fields, end: Promise<string>, isBrief: boolean): void {
    this.#running.set(end, about);
    if (isBrief) this.#brief.add(end);
    void end.then((text) => {
      this.#running.delete(end);
      this.#brief.delete(end);
      this.putBack(text);
    });
  }

  /** Gives a text to the next() call that waits, or keeps it. */
  putBack(text: string): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#over.push(text);
    else waiting(text);
  }

  /** The text of the next end. Null when nothing runs, when another call waits now, or when the signal fires. */
  next(signal?: AbortSignal): Promise<string | null> {
    const kept = this.#over.shift();
    if (kept !== undefined) return Promise.resolve(kept);
    if (this.#running.size === 0 || signal?.aborted === true) return Promise.resolve(null);
    this.#waiting?.(null);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      signal?.addEventListener('abort', () => resolve(null), { once: true });
    });
  }

  /** Resolves when all brief items have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#brief);
  }
}
