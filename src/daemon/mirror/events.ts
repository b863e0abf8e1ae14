import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, truncateSync } from 'node:fs';
import { errnoOf } from '../../base/errors.ts';
import type { Entry } from '../../journal/journal.ts';
import { eventFields } from '../views/view.ts';

/** Appends events to `events.jsonl`, one per line: the public fields, and what is needed to rebuild a journal. */
export function appendEvents(path: string, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  appendFileSync(path, entries.map(lineOf).join(''), { mode: 0o600 });
}

function lineOf(entry: Entry): string {
  const { cause, steadyMs } = entry.event;
  return `${JSON.stringify({ ...eventFields(entry), cause: cause?.id ?? null, steadyMs })}\n`;
}

/**
 * The number of the last event in the file, 0 when there is none. A partial last line from a crash is cut off. A file
 * with more events than the journal is kept beside the new one: the journal may have been replaced by an older copy.
 */
export function mendEvents(path: string, seqMax: number): number {
  const tail = tailOf(path);
  if (tail === null) return 0;
  const seq = seqOf(tail.line);
  if (seq !== null && seq > seqMax) {
    renameSync(path, `${path}.ahead`);
    return 0;
  }
  const bytes = seq === null ? 0 : tail.endBytes;
  if (bytes < tail.sizeBytes) truncateSync(path, bytes);
  return bytes === 0 ? 0 : (seq ?? 0);
}

/** The number of the last complete event in the file; null: there is none, or it cannot be read. */
export function lastSeqIn(path: string): number | null {
  const tail = tailOf(path);
  return tail && seqOf(tail.line);
}

interface Tail {
  /** The last complete line. */
  readonly line: string;
  /** Where it ends. */
  readonly endBytes: number;
  readonly sizeBytes: number;
}

const PIECE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

function tailOf(path: string): Tail | null {
  const file = openUnlessMissing(path);
  if (file === null) return null;
  try {
    const sizeBytes = fstatSync(file).size;
    // A line is as long as a prompt or a reply may be.
    for (let pieceBytes = PIECE_BYTES; ; pieceBytes *= 4) {
      const from = Math.max(0, sizeBytes - pieceBytes);
      const piece = Buffer.alloc(sizeBytes - from);
      const read = piece.subarray(0, readSync(file, piece, 0, piece.length, from));
      const end = read.lastIndexOf(NEWLINE);
      const start = end <= 0 ? -1 : read.lastIndexOf(NEWLINE, end - 1);
      if (start < 0 && from > 0) continue;
      return { line: read.toString('utf8', start + 1, Math.max(end, 0)), endBytes: from + end + 1, sizeBytes };
    }
  } finally {
    closeSync(file);
  }
}

function openUnlessMissing(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function seqOf(line: string): number | null {
  try {
    const { seq } = JSON.parse(line);
    return typeof seq === 'number' ? seq : null;
  } catch {
    // Nothing was synced: after a power cut the file can contain anything.
    return null;
  }
}
