/** A part that can be stopped. */
interface Part {
  stop(): Promise<void>;
}

/** A part that is built from the config, and is started again when its keys change. */
export class Restarted<T extends Part> {
  readonly #start: () => T;
  #current: T;
  #swapping: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(start: () => T) {
    this.#start = start;
    this.#current = start();
  }

  /** The one that runs. */
  get current(): T {
    return this.#current;
  }

  /** Starts it again with the config as it is by then. The old one ends first: two would do the same work. */
  restart(): Promise<void> {
    this.#swapping = this.#swapping.then(async () => {
      if (this.#isStopped) return;
      await this.#current.stop();
      if (!this.#isStopped) this.#current = this.#start();
    });
    return this.#swapping;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#swapping;
    await this.#current.stop();
  }
}
