type Stop = () => unknown;

/** The stop functions of the built parts, in the order in which they were built. */
export class Stops {
  readonly #stages: (readonly Stop[])[] = [];

  /** Adds stop functions. Those of one call are stopped together. */
  add(...together: readonly Stop[]): void {
    this.#stages.push(together);
  }

  /** Stops everything that was added, last first. A failure does not keep the others from being stopped. */
  async run(): Promise<void> {
    const failed: unknown[] = [];
    for (let stage = this.#stages.pop(); stage !== undefined; stage = this.#stages.pop()) {
      const ended = await Promise.allSettled(stage.map(async (stop) => stop()));
      failed.push(...ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
    }
    if (failed.length > 0) throw failed[0];
  }
}
