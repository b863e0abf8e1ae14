import { filterAt, type OutputFiles, outputDropped, outputSize, readBytes } from './output.ts';
import { TextFilter } from './text.ts';

/** The number of lines, counted from the first one retained. An unfinished last line counts. */
export interface LineTotal {
  readonly total: number;
  /** The last line has no newline yet. */
  readonly isOpen: boolean;
}

/**
 * Knows at which byte each line of an output begins. For recently used outputs it caches the line count of each full
 * chunk, so nothing is counted twice.
 */
export class LineIndex {
  readonly #chunkBytes: number;
  readonly #outputs = new Map<string, Counted>();

  constructor(chunkBytes = CHUNK_BYTES) {
    this.#chunkBytes = chunkBytes;
  }

  /** How many lines end before a byte: the number of the line that the byte is in. */
  async lineAt(files: OutputFiles, offset: number): Promise<number> {
    const counted = await this.#count(files, offset);
    return (await linesAt(files, counted, offset)).lines;
  }

  /** The byte that a line begins with; the end of the output if there is no such line. */
  async startOf(files: OutputFiles, line: number): Promise<number> {
    const end = await outputSize(files);
    const counted = await this.#count(files, end);
    if (line <= 0) return counted.base;
    const after = counted.marks.findIndex((lines) => lines >= line);
    const chunk = after === -1 ? counted.marks.length - 1 : after - 1;
    const from = counted.base + chunk * this.#chunkBytes;
    const to = Math.min(from + this.#chunkBytes, end);
    return startIn(files, { from, to, lines: line - (counted.marks[chunk] ?? 0) });
  }

  /** The number of lines up to a byte. With `ended`, an incomplete character at the end is text too. */
  async total(files: OutputFiles, end: number, ended: boolean): Promise<LineTotal> {
    const counted = await this.#count(files, end);
    const { lines, filter } = await linesAt(files, counted, end);
    const isOpen = !filter.isAtLineStart || (ended && filter.end() !== '');
    return { total: lines + (isOpen ? 1 : 0), isOpen };
  }

  /** Counts the full chunks before a byte. Concurrent counts give the same result. */
  async #count(files: OutputFiles, end: number): Promise<Counted> {
    for (;;) {
      const counted = this.#known(files, await outputDropped(files));
      await countChunks(files, counted, end);
      if ((await outputDropped(files)) === counted.base) return counted;
    }
  }

  #known({ output }: OutputFiles, base: number): Counted {
    const known = this.#outputs.get(output);
    // Lines are counted from the first one retained: when more was dropped, all line numbers change.
    const counted = known?.base === base ? known : { base, marks: [0], chunkBytes: this.#chunkBytes };
    this.#outputs.delete(output);
    this.#outputs.set(output, counted);
    for (const [oldest] of this.#outputs) if (this.#outputs.size > OUTPUTS_MAX) this.#outputs.delete(oldest);
    return counted;
  }
}

interface Counted {
  readonly chunkBytes: number;
  /** The first byte that is retained. */
  readonly base: number;
  /** Lines that end before chunk 0, 1, 2 and so on; the last entry is for the first chunk not counted yet. */
  readonly marks: number[];
}

const CHUNK_BYTES = 256 * 1024;
const OUTPUTS_MAX = 64;

async function countChunks(files: OutputFiles, { base, marks, chunkBytes }: Counted, end: number): Promise<void> {
  let at = base + (marks.length - 1) * chunkBytes;
  if (at + chunkBytes > end) return;
  const { filter } = await filterAt(files, at);
  for (; at + chunkBytes <= end; at += chunkBytes) {
    const chunk = (at - base) / chunkBytes;
    const { bytes, from } = await readBytes(files, at, chunkBytes);
    // It was dropped in the meantime, and is counted again.
    if (from !== at || bytes.length < chunkBytes) return;
    marks[chunk + 1] = (marks[chunk] ?? 0) + newlinesIn(filter.push(bytes));
  }
}

async function linesAt(files: OutputFiles, { base, marks, chunkBytes }: Counted, offset: number) {
  const chunk = Math.max(0, Math.min(Math.floor((offset - base) / chunkBytes), marks.length - 1));
  const from = base + chunk * chunkBytes;
  const { filter } = await filterAt(files, from);
  const { bytes } = await readBytes(files, from, Math.max(0, offset - from));
  return { lines: (marks[chunk] ?? 0) + newlinesIn(filter.push(bytes)), filter };
}

/** The byte after this many newlines, found by bisection: each newline of the text comes from one byte. */
async function startIn(
  files: OutputFiles,
  { from, to, lines }: { readonly from: number; readonly to: number; readonly lines: number },
): Promise<number> {
  const { bytes } = await readBytes(files, from, to - from);
  const { before } = await filterAt(files, from);
  const hasAll = (length: number): boolean => {
    const filter = new TextFilter();
    filter.push(before);
    return newlinesIn(filter.push(bytes.subarray(0, length))) >= lines;
  };
  let [few, enough] = [0, bytes.length];
  if (!hasAll(enough)) return from + enough;
  while (enough - few > 1) {
    const middle = (few + enough) >> 1;
    if (hasAll(middle)) enough = middle;
    else few = middle;
  }
  return from + enough;
}

/** Newlines in a text. */
export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
