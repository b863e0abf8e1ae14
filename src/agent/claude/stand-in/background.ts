import type { Fields } from './json.ts';

/** What runs behind the turns. The end of each begins a turn of its own, with a text that says so. */
export class Background {
  readonly #running = new Map<Promise<string>, Fields>();
  readonly #brief = new Set<Promise<string>>();
  readonly #over: string[] = [];
  #waiting: ((text: string | null) => void) | null = null;

  /** As hooks list it. */
  get running(): readonly Fields[] {
    return [...this.#running.values()];
  }

  /** What is brief is over before the model speaks again. */
  add(about: Fields, end: Promise<string>, isBrief: boolean): void {
    this.#running.set(end, about);
    if (isBrief) this.#brief.add(end);
    void end.then((text) => {
      this.#running.delete(end);
      this.#brief.delete(end);
      this.putBack(text);
    });
  }

  /** Gives a text to whoever waits for the next one, or keeps it. */
  putBack(text: string): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting === null) this.#over.push(text);
    else waiting(text);
  }

  /** The text of the next end. Null when nothing runs, when somebody else waits now, or when the signal fires. */
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

  /** Resolves when all that is brief is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#brief);
  }
}
