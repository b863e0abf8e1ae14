import type { OutputPage } from '../api/output-shape.ts';
import type { Given, Outlast } from '../client/index.ts';
import { DATA_CHARS_MAX } from './data.ts';

/** A part of the output of a session, short enough to be shown. */
export interface Part {
  readonly page: OutputPage;
  readonly text: string;
  /** The arguments that read the rest; null when this is all. */
  readonly rest: string | null;
}

/** Reads output: the last lines, or from where the caller says. */
export async function readPart(outlast: Outlast, input: Given<'session.output'>, signal: AbortSignal): Promise<Part> {
  // No byte is more than one character: nothing has to be cut here, so what is not shown is not read either.
  const bytes = Math.min(input.bytes ?? DATA_CHARS_MAX, DATA_CHARS_MAX);
  const page = await outlast.output({ ...input, bytes }, signal);
  const text = page.text ?? '';
  if (page.more) return { page, text, rest: `from=${page.next}` };
  const isTail = input.tail !== undefined && (page.lines?.offset ?? 0) > 0;
  return { page, text, rest: isTail ? 'offset=0 limit=100' : null };
}
