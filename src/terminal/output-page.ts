import { type LineIndex, newlinesIn } from './line-index.ts';
import { type OutputFiles, outputSize, readText, type TextPage } from './output.ts';

/** Where a page begins: at a byte, at a line, or this many lines before the end. */
export type PageStart = { readonly byte: number } | { readonly line: number } | { readonly tail: number };

/** What to read. */
export interface PageRange {
  readonly start: PageStart;
  readonly bytesMax: number;
  /** A page by line ends with a line where it can, and has at most this many. */
  readonly linesMax?: number | undefined;
  /** The run has ended: what is incomplete at the end is part of the text. */
  readonly ended: boolean;
}

/** A page with its begin and the place to continue, in bytes and in lines. */
export interface NumberedPage extends TextPage {
  /** There is already text at `next`. */
  readonly more: boolean;
  readonly lines: {
    /** The line in which the page begins, counted from the first one retained. */
    readonly offset: number;
    /** The line that contains `next`: the last line of the page again, if the page does not contain its end. */
    readonly next: number;
    /** The number of lines now. */
    readonly total: number;
  };
}

/** Reads a page of text. */
export async function readPage(files: OutputFiles, index: LineIndex, range: PageRange): Promise<NumberedPage> {
  for (;;) {
    const start = await startByte(files, index, range);
    const whole = await readText(files, { offset: start, bytesMax: range.bytesMax, ended: range.ended });
    const page = isByLine(range) ? await cutToLines(files, index, whole, range) : whole;
    const offset = await index.lineAt(files, page.from);
    const { total, isOpen } = await index.total(files, page.end, range.ended);
    // The cap may drop lines while they are counted: then the numbers would not fit together.
    if ((await readText(files, { offset: 0, bytesMax: 0, ended: false })).droppedBytes !== page.droppedBytes) continue;
    const isAll = range.ended && page.next === page.end && isOpen;
    const isCut = page.next < whole.next;
    const more = isCut || whole.end - whole.from > range.bytesMax;
    const next = isAll ? total : offset + newlinesIn(page.text);
    return { ...page, more: more && page.next < page.end, lines: { offset, next, total } };
  }
}

function isByLine({ start, linesMax }: PageRange): boolean {
  return linesMax !== undefined || !('byte' in start);
}

async function startByte(files: OutputFiles, index: LineIndex, { start, bytesMax, ended }: PageRange): Promise<number> {
  if ('byte' in start) return start.byte;
  if ('line' in start) return index.startOf(files, start.line);
  const end = await outputSize(files);
  const { total } = await index.total(files, end, ended);
  const first = await index.startOf(files, total - start.tail);
  if (end - first <= bytesMax) return first;
  // The last lines that fit; for a line longer than a page, its end.
  const line = await index.lineAt(files, end - bytesMax - 1);
  const fits = await index.startOf(files, line + 1);
  // The page begins with a whole character, which may begin three bytes before.
  return fits < end ? fits : Math.min(end, end - bytesMax + 3);
}

async function cutToLines(
  files: OutputFiles,
  index: LineIndex,
  page: TextPage,
  { linesMax = Number.POSITIVE_INFINITY, bytesMax }: PageRange,
): Promise<TextPage> {
  const found = newlinesIn(page.text);
  const isFull = page.end - page.from > bytesMax;
  const count = found >= linesMax ? linesMax : isFull && found > 0 ? found : Number.POSITIVE_INFINITY;
  if (count === Number.POSITIVE_INFINITY) return page;
  const text = firstLines(page.text, count);
  if (text.length === page.text.length) return page;
  const first = await index.lineAt(files, page.from);
  return { ...page, text, next: count === 0 ? page.from : await index.startOf(files, first + count) };
}

/** The first lines of a text, at most this many, each with its newline. */
function firstLines(text: string, count: number): string {
  let end = 0;
  for (let line = 0; line < count; line += 1) end = text.indexOf('\n', end) + 1;
  return text.slice(0, end);
}
