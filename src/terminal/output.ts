import { open, readFile, stat } from 'node:fs/promises';
import { errnoOf } from '../base/errors.ts';
import { SEQUENCE_CHARS_MAX, TextFilter } from './text.ts';

/** One run's output: raw bytes that another process appends, and how many of them were freed from the beginning. */
export interface OutputFiles {
  readonly output: string;
  readonly dropped: string;
  /** The file that says how far messages were read (`RunFolder.server`): bytes after that are not freed. */
  readonly server?: string;
}

/** Where a page lies in the output. Offsets count every byte ever printed and never move. */
export interface Span {
  /** Offset of the first byte: later than requested when that part is dropped, earlier when it does not exist yet. */
  readonly from: number;
  /** Where to continue reading. */
  readonly next: number;
  /** Bytes printed so far, dropped ones included. */
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

/** How far the daemon has read the messages in an output. */
export async function outputTaken({ server }: OutputFiles): Promise<number> {
  if (server === undefined) return Number.POSITIVE_INFINITY;
  const text = await unlessMissing(readFile(server, 'utf8'));
  return Number(/^\{"atBytes":(\d+)/.exec(text ?? '')?.[1] ?? 0);
}

/** Reads raw bytes from an offset. */
export async function readBytes(files: OutputFiles, offset: number, bytesMax: number): Promise<Page> {
  for (;;) {
    const droppedBytes = await outputDropped(files);
    const { bytes, from, end } = await readAt(files, Math.max(offset, droppedBytes), bytesMax);
    // The count is written before the bytes are freed: if it did not change, what was read is what was printed.
    const isSame = (await outputDropped(files)) === droppedBytes;
    if (isSame) return { bytes, from, next: from + bytes.length, end, droppedBytes };
  }
}

/**
 * Reads text from a byte offset. Consecutive pages give the same text as the whole, because each looks at what came
 * before it. A page neither begins nor ends inside a character: it begins with the character that contains the offset,
 * and has at least one. While the run goes on, it ends before an incomplete character or sequence.
 */
export async function readText(
  files: OutputFiles,
  page: { readonly offset: number; readonly bytesMax: number; readonly ended: boolean },
): Promise<TextPage> {
  const { filter, before, offset } = await filterAt(files, page.offset);
  const { bytes, ...span } = await readBytes(files, offset, pageBytes(page.bytesMax));
  // It was dropped in the meantime: begin again with what is retained.
  if (span.from > offset) return readText(files, { ...page, offset: span.from });
  const split = splitCharacterBytes(before);
  if (split > 0 && isContinuation(bytes[0])) return readText(files, { ...page, offset: span.from - split });
  // What is retained may begin inside a character whose first bytes are gone.
  const torn = span.from > 0 && span.from === span.droppedBytes ? tornBytes(bytes) : 0;
  const from = span.from + torn;
  const shown = bytes.subarray(torn, torn + wholeCharacters(bytes.subarray(torn), page.bytesMax));
  const next = from + shown.length;
  // Also nothing of an unfinished character before it: its reader has it already.
  if (shown.length === 0) return { ...span, from, next, text: '' };
  const { text, bytesDone, rest, last } = pushComplete(filter, shown);
  if (page.ended && next === span.end)
    return { ...span, from, next, text: text + rest + filter.push(shown.subarray(last)) + filter.end() };
  // A full page without the end of a sequence must be skipped, or its reader would make no progress.
  if (bytesDone === 0 && next < span.end) return { ...span, from, next: from + last, text: rest };
  return { ...span, from, next: from + bytesDone, text };
}

/**
 * A filter that has read what was printed before an offset: it knows whether that is inside a line, or inside a
 * sequence.
 */
export async function filterAt(
  files: OutputFiles,
  wanted: number,
): Promise<{ readonly filter: TextFilter; readonly before: Uint8Array; readonly offset: number }> {
  for (let length = SEQUENCE_BYTES_MAX; ; length *= LOOK_BACK_GROWTH) {
    const filter = new TextFilter();
    const { droppedBytes, end } = await readBytes(files, 0, 0);
    const offset = Math.min(Math.max(wanted, droppedBytes), end);
    const start = Math.max(droppedBytes, offset - length);
    const { bytes, from } = await readBytes(files, start, offset - start);
    if (from + bytes.length !== offset) continue;
    // A long series of sequences says nothing about the line they are in.
    const isKnown = filter.push(bytes) !== '' || start === droppedBytes || length > LOOK_BACK_BYTES_MAX;
    if (isKnown) return { filter, before: bytes, offset };
  }
}

/** The longest sequence in UTF-8, with room for the text before it. */
const SEQUENCE_BYTES_MAX = SEQUENCE_CHARS_MAX * 4;
const LOOK_BACK_GROWTH = 8;
const LOOK_BACK_BYTES_MAX = 1024 * 1024;
const CHARACTER_BYTES_MAX = 4;

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

/** Enough bytes to complete the last character of a page. */
function pageBytes(bytesMax: number): number {
  return bytesMax === 0 ? 0 : bytesMax + CHARACTER_BYTES_MAX - 1;
}

/** How many of the bytes fit into a page; the first character always does, however long it is. */
function wholeCharacters(bytes: Uint8Array, bytesMax: number): number {
  let length = Math.min(bytes.length, bytesMax);
  if (length === 0 || length > CHARACTER_BYTES_MAX) return length;
  while (length < bytes.length && splitCharacterBytes(bytes.subarray(0, length)) === length) length += 1;
  return length;
}

function tornBytes(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => !isContinuation(byte));
  return first > 0 && first < CHARACTER_BYTES_MAX ? first : 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}

/**
 * Pushes bytes and returns the text of those before the last incomplete character or sequence, and the rest separately.
 * The bytes of an incomplete character, from `last` on, are not pushed.
 */
function pushComplete(
  filter: TextFilter,
  bytes: Uint8Array,
): { text: string; bytesDone: number; rest: string; last: number } {
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
  return { text, bytesDone, rest, last };
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

/** Bytes from an offset on, as base64. */
export async function readBase64(
  files: OutputFiles,
  from: number,
  bytesMax: number,
): Promise<Span & { base64: string }> {
  const { bytes, ...span } = await readBytes(files, from, bytesMax);
  return { ...span, base64: Buffer.from(bytes).toString('base64') };
}
