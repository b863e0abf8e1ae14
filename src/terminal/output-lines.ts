import { LIMITS } from '../base/limits.ts';
import { filterAt, type OutputFiles, outputSize, readBytes, type Span } from './output.ts';

/** Lines of the text, and the bytes that were read for them. An unfinished last line counts. */
export interface LinePage extends Span {
  readonly lines: readonly string[];
}

/** Reads the last lines of the text, backwards in growing steps, at most 8 MB. */
export async function tailLines(files: OutputFiles, limit: number): Promise<LinePage> {
  const size = await outputSize(files);
  for (let bytes = TAIL_BYTES_MIN; ; bytes = Math.min(bytes * TAIL_GROWTH, TAIL_BYTES_MAX)) {
    const lines: string[] = [];
    const span = await eachLine(files, Math.max(0, size - bytes), (line) => lines.push(line));
    const isWhole = span.from <= span.droppedBytes;
    // One more than asked for, because the first may be a part of a line.
    if (!isWhole && lines.length <= limit && bytes < TAIL_BYTES_MAX) continue;
    if (!isWhole) dropPart(lines);
    return { ...span, lines: lastOf(lines, limit) };
  }
}

const CHUNK_BYTES = 256 * 1024;
const TAIL_BYTES_MIN = 64 * 1024;
const TAIL_BYTES_MAX = 8 * 1024 * 1024;
const TAIL_GROWTH = 8;
/** A longer line is cut here, so that a file without a newline does not end up in memory. */
const LINE_CHARS_MAX = 64 * 1024;
const LINE_CUT = '…[line cut]';

/** Reads the text from an offset to its current end, and yields every line without its newline. */
async function eachLine(files: OutputFiles, offset: number, take: (line: string) => void): Promise<Span> {
  const { filter } = await filterAt(files, offset);
  const lines = new LineSplitter(take);
  const first = await readBytes(files, offset, CHUNK_BYTES);
  let page = first;
  while (page.bytes.length > 0) {
    lines.push(filter.push(page.bytes));
    // Output printed during this read is left to the next reader, or this loop might never end.
    if (page.next >= first.end) break;
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

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
      this.#extend(text, from, at);
      this.#give();
      from = at + 1;
    }
    this.#extend(text, from, text.length);
  }

  /** Yields the last line if it has no newline. */
  end(): void {
    if (this.#line !== '') this.#give();
  }

  /** One character more than allowed is kept: it shows that the line is too long. */
  #extend(text: string, from: number, to: number): void {
    const room = LINE_CHARS_MAX + 1 - this.#line.length;
    if (room > 0) this.#line += text.slice(from, Math.min(to, from + room));
  }

  #give(): void {
    const line = this.#line;
    this.#line = '';
    // A surrogate pair that straddles the cut loses its first half too.
    const isWhole = line.length <= LINE_CHARS_MAX;
    this.#take(isWhole ? line : line.slice(0, LINE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '') + LINE_CUT);
  }
}

/**
 * Reading began at an arbitrary byte, so the first line may be incomplete: it is dropped, unless it is the only one.
 */
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
