import { open, readFile, stat } from 'node:fs/promises';
import { errnoOf } from '../base/errors.ts';
import { SEQUENCE_CHARS_MAX, TextFilter } from './text.ts';

/** One run's output: raw bytes that another process appends, and how many of them were freed from the beginning. */
export interface OutputFiles {
  readonly output: string;
  readonly dropped: string;
}

/** Where a page lies in the output. Offsets count every byte ever printed and never move. */
export interface Span {
  /** Offset of the first byte: later than asked for when that is dropped, earlier when that is not there yet. */
  readonly from: number;
  /** Where to read on. */
  readonly next: number;
  /** Bytes there were, dropped ones included. */
  readonly end: number;
  readonly droppedBytes: number;
}

/** A page of raw bytes. */
export interface Page extends Span {
  readonly bytes: Uint8Array;
}

/** A page of readable text, with the offsets of the bytes it was made from. */
export interface TextPage extends Span {
  readonly text: string;
}

/** Bytes printed so far, dropped ones included. */
export async function outputSize(files: OutputFiles): Promise<number> {
  return (await unlessMissing(stat(files.output)))?.size ?? 0;
}

/** Bytes freed from the beginning. */
export async function outputDropped(files: OutputFiles): Promise<number> {
  const words = await unlessMissing(readFile(files.dropped, 'utf8'));
  return /^\d+\n$/.test(words ?? '') ? Number(words) : 0;
}

/** Reads raw bytes from an offset on. */
export async function readBytes(files: OutputFiles, offset: number, bytesMax: number): Promise<Page> {
  for (;;) {
    const droppedBytes = await outputDropped(files);
    const { bytes, from, end } = await readAt(files, Math.max(offset, droppedBytes), bytesMax);
    // The count is written before the bytes are freed: if it stands still, what was read is what was printed.
    const isSame = (await outputDropped(files)) === droppedBytes;
    if (isSame) return { bytes, from, next: from + bytes.length, end, droppedBytes };
  }
}

/**
 * Reads text from a byte offset on. Pages in a row give the same text as the whole, because each looks at what came
 * before it; and while the run goes on, a page ends before a character or sequence that is not complete.
 */
export async function readText(
  files: OutputFiles,
  page: { readonly offset: number; readonly bytesMax: number; readonly ended: boolean },
): Promise<TextPage> {
  const { bytes, ...span } = await readBytes(files, page.offset, page.bytesMax);
  const filter = await filterAt(files, span);
  const { text, bytesDone, rest } = pushComplete(filter, bytes);
  if (page.ended && span.next === span.end) return { ...span, text: text + rest + filter.end() };
  // A page that is full and still holds no end of a sequence must be passed over, or its reader would never get on.
  if (bytesDone === 0 && span.next < span.end) return { ...span, text: rest };
  return { ...span, text, next: span.from + bytesDone };
}

/** The longest sequence in UTF-8, and room for the text before it. */
const SEQUENCE_BYTES_MAX = SEQUENCE_CHARS_MAX * 4;

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function readAt(
  files: OutputFiles,
  offset: number,
  bytesMax: number,
): Promise<{ readonly bytes: Uint8Array; readonly from: number; readonly end: number }> {
  await using file = await unlessMissing(open(files.output, 'r'));
  const end = (await file?.stat())?.size ?? 0;
  const from = Math.min(offset, end);
  const bytes = Buffer.alloc(Math.min(bytesMax, end - from));
  let filled = 0;
  while (file !== undefined && filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return { bytes: bytes.subarray(0, filled), from, end };
}

/** A filter that knows the text before this page: whether it begins in a line, or even in a sequence. */
async function filterAt(files: OutputFiles, span: Span): Promise<TextFilter> {
  const filter = new TextFilter();
  const start = Math.max(span.droppedBytes, span.from - SEQUENCE_BYTES_MAX);
  const before = await readBytes(files, start, Math.max(0, span.from - start));
  // Otherwise it was dropped meanwhile, and the page begins what is retained.
  if (before.next === span.from) filter.push(before.bytes);
  return filter;
}

/** Pushes bytes and gives the text of those before the last incomplete character or sequence, and the rest apart. */
function pushComplete(filter: TextFilter, bytes: Uint8Array): { text: string; bytesDone: number; rest: string } {
  const last = bytes.length - splitCharacterBytes(bytes);
  let text = '';
  let rest = '';
  let bytesDone = 0;
  let from = 0;
  for (let at = Math.max(0, last - SEQUENCE_BYTES_MAX); at <= last; at += 1) {
    // A sequence begins with ESC, or with a C1 control, whose first byte in UTF-8 is C2.
    if (at < last && bytes[at] !== 0x1b && bytes[at] !== 0xc2) continue;
    rest += filter.push(bytes.subarray(from, at));
    from = at;
    if (!filter.isBetween) continue;
    text += rest;
    rest = '';
    bytesDone = at;
  }
  return { text, bytesDone, rest: rest + filter.push(bytes.subarray(last)) };
}

/** How many bytes at the end are the beginning of a UTF-8 character. */
function splitCharacterBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3; count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte >= 0xc2 && byte <= 0xf4) return count < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? count : 0;
    if (byte < 0x80 || byte >= 0xc0) return 0;
  }
  return 0;
}
