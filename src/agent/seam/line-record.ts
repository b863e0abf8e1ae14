import type { Counted } from '../../core/usage.ts';
import { type Line, readJsonLines } from './json.ts';
import type { RecordReader, TranscriptView } from './record.ts';
import { plainKey } from './text-key.ts';

/** What is known of a conversation whose record has one entry after another. */
export interface Followed<Entry, Known> {
  /** What is known already does not change: entries are added to a copy. */
  copy(): Known;
  add(entry: Entry): void;
  readonly view: TranscriptView;
  /** Without the messages that were counted. */
  settled(counted: Counted): Known;
}

/** Reads a record of one JSON object per line. `entriesOf`: what a line means. */
export function lineRecord<Entry, Known extends Followed<Entry, Known>>(
  empty: Known,
  entriesOf: (line: Line) => readonly Entry[],
  keysOf: RecordReader<Known>['keysOf'] = (text) => [plainKey(text)],
): RecordReader<Known> {
  return {
    empty,
    read: (known, text) => {
      const { lines } = readJsonLines(text);
      if (lines.length === 0) return known;
      const next = known.copy();
      for (const entry of lines.flatMap(entriesOf)) next.add(entry);
      return next;
    },
    view: (known) => known.view,
    settle: (known, counted) => known.settled(counted),
    keysOf,
  };
}
