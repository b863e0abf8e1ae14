import type { CallOutput, HandlerInput } from '../api/contract.ts';
import { OutlastError } from '../base/errors.ts';
import { LIMITS } from '../base/limits.ts';
import { runOf, type Session } from '../core/session.ts';
import type { Row } from '../journal/journal.ts';
import { type OutputFiles, outputSize, readBytes, readText, type Span, type TextPage } from '../terminal/output.ts';
import { readLines, tailLines } from '../terminal/output-lines.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { news } from './news.ts';
import type { Parts } from './parts.ts';
import { quietMs, retryInMs } from './retry.ts';
import { attentiveViewOf, viewOf } from './view.ts';

type Stream = 'output' | 'stderr';

/** The files of a session's output. Only the output itself is capped, so only it has dropped bytes. */
export function filesOf(state: string, session: Session, stream: Stream = 'output'): OutputFiles {
  const files = runFolder(state, { session: session.id, run: Math.max(runOf(session), 1) });
  if (stream === 'stderr' && !session.spec.split) {
    const name = session.spec.name ?? session.id;
    throw new OutlastError('input_invalid', `${name} has no stderr of its own: it is in the output, without --split`);
  }
  return stream === 'output' ? files : { output: files.stderr, dropped: `${files.stderr}.dropped` };
}

/** One page of output: by byte, by line, or the last lines. */
export async function output(
  parts: Parts,
  input: HandlerInput<'session.output'>,
): Promise<CallOutput<'session.output'>> {
  const row = parts.sessions.find(input.session);
  const files = filesOf(parts.config.state, row.session, input.stream);
  const facts = { incomplete: row.session.run?.incomplete ?? false, ended: !row.live };
  if (input.tail !== undefined) {
    const page = await tailLines(files, input.tail);
    return { ...spanOf(page), ...facts, more: page.more, text: linesText(page.lines) };
  }
  if (input.offset !== undefined || input.limit !== undefined) {
    const page = await readLines(files, { offset: input.offset ?? 0, limit: input.limit ?? Number.MAX_SAFE_INTEGER });
    const lines = { offset: input.offset ?? 0, total: page.total };
    return { ...spanOf(page), ...facts, more: page.more, lines, text: linesText(page.lines) + page.begun };
  }
  const bytesMax = input.bytes ?? LIMITS.readBytesMax;
  const page = await pageOf(files, input, { offset: input.from ?? 0, bytesMax, ended: !row.live });
  return { ...page, ...facts, more: isFull(page, bytesMax) };
}

/** Output as it comes, until the session has ended and all of it was given. */
export async function* follow(
  parts: Parts,
  input: HandlerInput<'session.follow'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.follow'>> {
  const { sessions, config } = parts;
  const { session } = sessions.find(input.session);
  const files = filesOf(config.state, session, input.stream);
  let from = input.from ?? (await outputSize(files));
  let dropped = 0;
  try {
    while (!signal.aborted) {
      // Read before the page: a session that has ended prints no more, so an empty page after it is the end.
      const row = sessions.find(session.id);
      const page = await pageOf(files, input, { offset: from, bytesMax: CHUNK_BYTES, ended: !row.live });
      if (page.next > from) {
        const lost = page.from > from ? page.from - from : 0;
        dropped += lost;
        from = page.next;
        yield {
          ...(page.text === undefined ? { base64: page.base64 } : { text: page.text }),
          stream: input.stream,
          next: from,
          ...(lost > 0 && { droppedBytes: dropped }),
        };
      } else if (!row.live) {
        yield { session: viewOf(config.state, row), next: from };
        return;
      } else {
        const seen = page.end;
        await news(
          parts,
          { session: session.id, files: [files.output] },
          async () => (await outputSize(files)) > seen || !sessions.find(session.id).live,
          signal,
        );
      }
    }
  } finally {
    if (input.owner && signal.aborted) leave(parts, session);
  }
}

/**
 * What a named reader has not read yet. It moves on only when it says so, so that an answer that got lost is given
 * again.
 */
export async function poll(
  parts: Parts,
  input: HandlerInput<'session.poll'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.poll'>> {
  const { sessions, journal, clock, config } = parts;
  const { session } = sessions.find(input.session);
  const files = filesOf(config.state, session);
  const from = journal.cursor(readerOf(session, input.reader));
  const deadlineMs = clock.steadyMs() + input.timeoutMs;
  const look = async (): Promise<{ row: Row; page: TextPage }> => {
    const row = sessions.find(session.id);
    return { row, page: await readText(files, { offset: from, bytesMax: LIMITS.readBytesMax, ended: !row.live }) };
  };
  // Bytes that are no text yet, like the beginning of an escape sequence, are no news.
  const isNews = ({ row, page }: Awaited<ReturnType<typeof look>>): boolean => page.next > from || !row.live;
  let seen = await look();
  while (!isNews(seen) && clock.steadyMs() < deadlineMs && !signal.aborted) {
    const watched = { session: session.id, files: [files.output] };
    await news(parts, watched, async () => isNews(await look()), signal, deadlineMs - clock.steadyMs());
    seen = await look();
  }
  const { row, page } = seen;
  return {
    session: attentiveViewOf(parts, row),
    text: page.text,
    from: page.from,
    next: page.next,
    notices: missing(row, from, page),
    ...(row.live && { retryInMs: retryInMs(page.next > from ? 0 : quietMs(files, clock.wallMs())) }),
  };
}

/** Moves a reader on. It never goes back by itself: an acknowledgement that comes late changes nothing. */
export function ack(parts: Parts, input: HandlerInput<'session.ack'>): Record<string, never> {
  const { session } = parts.sessions.find(input.session);
  const reader = readerOf(session, input.reader);
  if (input.cursor > parts.journal.cursor(reader)) parts.journal.saveCursor(reader, input.cursor);
  return {};
}

const CHUNK_BYTES = 256 * 1024;

function readerOf(session: Session, reader: string): string {
  return `reader:${session.id}:${reader}`;
}

function missing(row: Row, from: number, page: Span): string[] {
  const notices: string[] = [];
  if (page.from > from) notices.push('[earlier output was discarded at the retention cap and cannot be recovered]');
  if (isFull(page, LIMITS.readBytesMax)) notices.push('[there is more output than fits here; poll again for the rest]');
  if (row.session.run?.incomplete) notices.push('[some output may be missing]');
  return notices;
}

/** Tells a page that has no room for more from one that ends before a sequence that is not complete. */
function isFull({ from, end }: Span, bytesMax: number): boolean {
  return end - from > bytesMax;
}

/** Whoever waited for the result has left: now it must be announced. */
function leave({ sessions }: Parts, { id }: Session): void {
  const { session, live } = sessions.find(id);
  if (live && !session.background) sessions.take(session, { type: 'background', by: 'caller left' });
}

async function pageOf(
  files: OutputFiles,
  { view }: { readonly view: 'text' | 'raw' },
  page: { readonly offset: number; readonly bytesMax: number; readonly ended: boolean },
): Promise<Span & { readonly text?: string; readonly base64?: string }> {
  if (view === 'text') return readText(files, page);
  const { bytes, ...span } = await readBytes(files, page.offset, page.bytesMax);
  return { ...span, base64: Buffer.from(bytes).toString('base64') };
}

function spanOf({ from, next, end, droppedBytes }: Span): Span {
  return { from, next, end, droppedBytes };
}

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
