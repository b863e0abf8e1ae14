import { LIMITS } from '../base/limits.ts';
import { type OutputFiles, outputSize, readBytes, type Span } from './output.ts';
import { TextFilter } from './text.ts';

/** Lines of the text, and the bytes that were read for them. An unfinished last line counts. */
export interface LinePage extends Span {
  readonly lines: readonly string[];
  /** These are fewer lines than there are of those asked for, because an answer is bounded. */
  readonly more: boolean;
}

/** Lines from a place on. If there are more of them, the text goes on at the byte `next`. */
export interface LinesFrom extends LinePage {
  /** What belongs to this page of a line that goes on at `next`. */
  readonly begun: string;
  readonly total: number;
}

/**
 * Reads lines of the text, counted from 0 at the first that is retained. It goes through everything, to know the total,
 * but gives only about as much as fits into one answer.
 */
export async function readLines(
  files: OutputFiles,
  page: { readonly offset: number; readonly limit: number },
): Promise<LinesFrom> {
  const lines: string[] = [];
  let total = 0;
  let chars = 0;
  let cut = null as Pick<LinesFrom, 'next' | 'begun'> | null;
  const takeLine = (line: string): void => {
    total += 1;
    if (total <= page.offset || lines.length >= page.limit || cut !== null) return;
    lines.push(line);
    chars += line.length + 1;
  };
  // Only between two chunks is it known which byte the text goes on with.
  const endChunk = (next: number, begun: string): void => {
    if (cut === null && chars >= PAGE_CHARS && lines.length < page.limit) cut = { next, begun };
  };
  const span = await eachLine(files, 0, takeLine, endChunk);
  return { ...span, begun: '', ...cut, lines, total, more: cut !== null };
}

/** Reads the last lines of the text, backwards in growing steps; what lies further back than 8 MB is not seen. */
export async function tailLines(files: OutputFiles, limit: number): Promise<LinePage> {
  const size = await outputSize(files);
  for (let bytes = TAIL_BYTES_MIN; ; bytes = Math.min(bytes * TAIL_GROWTH, TAIL_BYTES_MAX)) {
    const lines: string[] = [];
    const span = await eachLine(files, Math.max(0, size - bytes), (line) => lines.push(line));
    const isWhole = span.from <= span.droppedBytes;
    // One more than asked for, because the first may be a part of a line.
    if (!isWhole && lines.length <= limit && bytes < TAIL_BYTES_MAX) continue;
    if (!isWhole) dropPart(lines);
    const last = lastOf(lines, limit);
    return { ...span, lines: last, more: last.length < limit && (!isWhole || last.length < lines.length) };
  }
}

const CHUNK_BYTES = 256 * 1024;
/** With so much a page ends: one more chunk would be more than an answer holds. */
const PAGE_CHARS = LIMITS.readBytesMax - CHUNK_BYTES;
const TAIL_BYTES_MIN = 64 * 1024;
const TAIL_BYTES_MAX = 8 * 1024 * 1024;
const TAIL_GROWTH = 8;
/** A line that is longer is cut here, so that a file without a newline does not end up in memory. */
const LINE_CHARS_MAX = 64 * 1024;
const LINE_CUT = '…[line cut]';

/**
 * Goes through the text from an offset to what is the end now, and gives every line without its newline; between two
 * chunks, the offset and the line that is not complete there.
 */
async function eachLine(
  files: OutputFiles,
  offset: number,
  take: (line: string) => void,
  endChunk: (next: number, begun: string) => void = () => {},
): Promise<Span> {
  const filter = new TextFilter();
  const lines = new LineSplitter(take);
  const first = await readBytes(files, offset, CHUNK_BYTES);
  let page = first;
  while (page.bytes.length > 0) {
    lines.push(filter.push(page.bytes));
    // What is printed while we read is for the next reader, or we might never end.
    if (page.next >= first.end) break;
    endChunk(page.next, lines.begun);
    page = await readBytes(files, page.next, Math.min(CHUNK_BYTES, first.end - page.next));
  }
  lines.push(filter.end());
  lines.end();
  return { from: first.from, next: page.next, end: first.end, droppedBytes: first.droppedBytes };
}

/** Cuts text that comes in pieces into lines, holding at most one line of bounded length. */
class LineSplitter {
  readonly #take: (line: string) => void;
  #line = '';

  constructor(take: (line: string) => void) {
    this.#take = take;
  }

  /** The line that has no newline yet. */
  get begun(): string {
    // A pair of surrogates that straddles the cut loses its first half too.
    const isWhole = this.#line.length <= LINE_CHARS_MAX;
    return isWhole ? this.#line : this.#line.slice(0, LINE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '') + LINE_CUT;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#extend(text, from, at);
      this.#give();
      from = at + 1;
    }
    this.#extend(text, from, text.length);
  }

  /** Gives the last line if it has no newline. */
  end(): void {
    if (this.#line !== '') this.#give();
  }

  /** One character more than allowed is kept, as the sign that the line is too long. */
  #extend(text: string, from: number, to: number): void {
    const room = LINE_CHARS_MAX + 1 - this.#line.length;
    if (room > 0) this.#line += text.slice(from, Math.min(to, from + room));
  }

  #give(): void {
    const line = this.begun;
    this.#line = '';
    this.#take(line);
  }
}

/** Having begun anywhere, the first line is a part of one: it goes, unless it is all there is. */
function dropPart(lines: string[]): void {
  const part = lines.shift();
  if (part !== undefined && lines.length === 0) lines.push(LINE_CUT + part);
}

/** The last lines, as many as were asked for and fit into one answer. */
function lastOf(lines: readonly string[], limit: number): string[] {
  let first = lines.length;
  for (let chars = 0; first > 0 && lines.length - first < limit && chars < LIMITS.readBytesMax; first -= 1) {
    chars += (lines[first - 1]?.length ?? 0) + 1;
  }
  return lines.slice(first);
}
