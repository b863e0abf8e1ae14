import type { LineReader } from '../agent/seam/lines.ts';
import type { RecordSource } from '../agent/seam/record.ts';
import { DatabaseTail } from './database-tail.ts';
import { RecordTail } from './record-tail.ts';

/** Reads a source incrementally, whatever its kind. */
export function tailOf<S, V>(source: RecordSource, reader: LineReader<S, V>): RecordTail<S, V> | DatabaseTail<S, V> {
  return source.is === 'file' ? new RecordTail(source.path, reader) : new DatabaseTail(source, reader);
}
