/** Reads lines incrementally. Pure: the same lines give the same view, in however many pieces they arrive. */
export interface LineReader<S, V> {
  /** The state before the first line. */
  readonly empty: S;
  /** The state after more whole lines. */
  read(known: S, lines: string): S;
  view(known: S): V;
}

/** The view of all these lines, read in one piece. */
export function readWhole<S, V>(reader: LineReader<S, V>, lines: string): V {
  return reader.view(reader.read(reader.empty, lines));
}
