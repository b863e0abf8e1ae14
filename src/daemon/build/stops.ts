type Stop = () => unknown;

/** What has to be stopped at the end, in the order in which it was built. */
export class Stops {
  readonly #stages: (readonly Stop[])[] = [];

  /** Takes note of what was just built. What is added in one call is stopped together. */
  add(...together: readonly Stop[]): void {
    this.#stages.push(together);
  }

  /** Stops everything that was added, last things first. One that fails keeps no other from being stopped. */
  async run(): Promise<void> {
    const failed: unknown[] = [];
    for (let stage = this.#stages.pop(); stage !== undefined; stage = this.#stages.pop()) {
      const ended = await Promise.allSettled(stage.map(async (stop) => stop()));
      failed.push(...ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
    }
    if (failed.length > 0) throw failed[0];
  }
}
