/** Stops the program when we made a mistake. A wrong assumption must not become a wrong fact in the journal. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** The compiler proves that a switch is complete; at run time it names what slipped through. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
