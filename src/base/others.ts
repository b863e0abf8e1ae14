/** Resolves after one turn of the event loop: whoever else has something to do does it first. */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
