/** The keys of a person at this terminal, one by one. */
export class Keyboard {
  #pressed: string[] = [];
  #wake = (): void => {};
  #isLine = false;

  constructor() {
    process.stdin.setRawMode(true);
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', this.#take);
  }

  /** The next key. A second call replaces one that still waits. */
  async key(): Promise<string> {
    for (;;) {
      const key = this.#pressed.shift();
      if (key !== undefined) return key;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** A whole line, as the terminal lets it be edited. */
  async line(): Promise<string> {
    process.stdin.setRawMode(false);
    this.#isLine = true;
    try {
      return (await this.key()).replace(/\r?\n$/, '');
    } finally {
      this.#isLine = false;
      process.stdin.setRawMode(true);
    }
  }

  /** Lends the terminal to another program. */
  async away<T>(work: () => T | Promise<T>): Promise<T> {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    try {
      return await work();
    } finally {
      process.stdin.resume();
      process.stdin.setRawMode(true);
      this.forget();
    }
  }

  /** Discards keys that were pressed and not read yet. */
  forget(): void {
    this.#pressed = [];
  }

  close(): void {
    process.stdin.off('data', this.#take);
    process.stdin.setRawMode(false);
    process.stdin.pause();
  }

  readonly #take = (text: string | Buffer): void => {
    // A sequence of several characters, such as an arrow, is one key, and not one of ours.
    const keys = this.#isLine || String(text).startsWith('\x1b') ? [String(text)] : [...String(text)];
    this.#pressed.push(...keys);
    this.#wake();
  };
}
