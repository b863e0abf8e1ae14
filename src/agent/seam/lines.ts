/** Reads lines on from where it was. Pure: the same lines give the same view, in however many pieces they come. */
export interface LineReader<S, V> {
  /** What is known before the first line. */
  readonly empty: S;
  /** What is known after some more whole lines. */
  read(known: S, lines: string): S;
  view(known: S): V;
}

/** What all of these lines say, read in one piece. */
export function readWhole<S, V>(reader: LineReader<S, V>, lines: string): V {
  return reader.view(reader.read(reader.empty, lines));
}
