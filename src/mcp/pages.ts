import type { OutputPage } from '../api/shapes.ts';
import type { Given, Outlast } from '../client/index.ts';
import { DATA_CHARS_MAX, firstOf, lastOf } from './data.ts';

/** Some of the output of a session, short enough to be shown. */
export interface Part {
  readonly page: OutputPage;
  readonly text: string;
  /** The arguments that read the rest; null when this is all. */
  readonly rest: string | null;
}

const FROM_BEGINNING = 'offset=0 limit=100';

/** Reads output: the last lines, or from where the caller says. */
export async function readPart(outlast: Outlast, input: Given<'session.output'>, signal: AbortSignal): Promise<Part> {
  const { tail, from, bytes } = input;
  // One line more than is shown: whether it is there says whether something is missing.
  if (tail !== undefined) return partOfEnd(await outlast.output({ ...input, tail: tail + 1 }, signal), tail);
  const isByByte = from !== undefined || bytes !== undefined;
  if (!isByByte) return partByLine(await outlast.output(input, signal));
  // No byte is more than one character, so that nothing has to be cut and `next` is where it goes on.
  const page = await outlast.output({ ...input, bytes: Math.min(bytes ?? DATA_CHARS_MAX, DATA_CHARS_MAX) }, signal);
  return { page, text: page.text ?? '', rest: page.next < page.end ? `from=${page.next}` : null };
}

function partOfEnd(page: OutputPage, tail: number): Part {
  const lines = (page.text ?? '').split('\n');
  const isTooLong = lines.length - (lines.at(-1) === '' ? 1 : 0) > tail;
  const cut = lastOf((isTooLong ? lines.slice(1) : lines).join('\n'));
  const isPart = isTooLong || page.more || cut.leftOutChars > 0;
  return { page, text: cut.text.trimEnd(), rest: isPart ? FROM_BEGINNING : null };
}

function partByLine(page: OutputPage): Part {
  const cut = firstOf(page.text ?? '');
  const { offset, total } = page.lines ?? { offset: 0, total: 0 };
  // A line that is longer than all we show is passed over: else nobody would ever get beyond it.
  const shown = Math.max(cut.text.split('\n').length - 1, 1);
  const isPart = page.more || cut.leftOutChars > 0 || offset + shown < total;
  return { page, text: cut.text.trimEnd(), rest: isPart ? `offset=${offset + shown} limit=100` : null };
}
