/** Resolves after one turn of the event loop, so that other pending work runs first. */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
