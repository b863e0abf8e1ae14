import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import { byHost } from '../../core/actor.ts';
import type { Session } from '../../core/session.ts';
import type { LineIndex } from '../../terminal/line-index.ts';
import { type OutputFiles, outputSize, readBytes, readText, type Span } from '../../terminal/output.ts';
import { droppedWithin } from '../../terminal/output-cap.ts';
import { readPage } from '../../terminal/output-page.ts';
import { filesOf } from '../views/output-files.ts';
import { viewOf } from '../views/view.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import type { Parts } from './parts.ts';

/** One page of output: by byte, by line, or the last lines. */
export async function output(
  parts: Parts,
  index: LineIndex,
  input: HandlerInput<'session.output'>,
): Promise<CallOutput<'session.output'>> {
  const row = parts.sessions.find(input.session);
  const files = filesOf(parts.config.state, row.session, input.stream);
  const facts = { incomplete: row.session.run?.incomplete ?? false, ended: !row.live };
  const bytesMax = input.bytes ?? LIMITS.readBytesMax;
  const { tail, offset, from, limit } = input;
  const isByLine = [tail, offset, limit].some((n) => n !== undefined);
  // Lines are text, whatever the view.
  if (input.view === 'raw' && !isByLine) {
    const page = await rawPage(files, from ?? 0, bytesMax);
    return { ...page, ...facts, more: page.next < page.end };
  }
  const start = tail !== undefined ? { tail } : offset !== undefined ? { line: offset } : { byte: from ?? 0 };
  return { ...(await readPage(files, index, { start, bytesMax, linesMax: limit, ended: !row.live })), ...facts };
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
  if (input.owner) sessions.callers.came(session.id);
  let from = input.from ?? (await outputSize(files));
  try {
    while (!signal.aborted) {
      // Read before the page: a session that has ended prints no more, so an empty page after it is the end.
      const row = sessions.find(session.id);
      const page = await pageOf(files, input, { offset: from, bytesMax: CHUNK_BYTES, ended: !row.live });
      if (page.next > from) {
        const lost = page.from > from ? page.from - from : 0;
        from = page.next;
        yield {
          ...(page.text === undefined ? { base64: page.base64 } : { text: page.text }),
          stream: input.stream,
          next: from,
          ...(lost > 0 && { droppedBytes: lost }),
        };
      } else if (!row.live) {
        // What is over the cap goes right after the end: whoever waited for the result should know of it.
        const droppedBytes = await droppedWithin(filesOf(config.state, session), session.spec.policy.outputBytesMax);
        yield { session: { ...viewOf(config.state, row), droppedBytes }, next: from };
        return;
      } else {
        const seen = page.end;
        await waitForChange(
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

const CHUNK_BYTES = 256 * 1024;

/** Whoever waited for the result has left: now it must be announced. */
function leave({ sessions }: Parts, { id }: Session): void {
  const { session, live } = sessions.find(id);
  if (live && !session.background) sessions.take(session, { type: 'background', by: byHost('caller-left') });
}

async function pageOf(
  files: OutputFiles,
  { view }: { readonly view: 'text' | 'raw' },
  page: { readonly offset: number; readonly bytesMax: number; readonly ended: boolean },
): Promise<Span & { readonly text?: string; readonly base64?: string }> {
  return view === 'text' ? readText(files, page) : rawPage(files, page.offset, page.bytesMax);
}

async function rawPage(files: OutputFiles, from: number, bytesMax: number): Promise<Span & { base64: string }> {
  const { bytes, ...span } = await readBytes(files, from, bytesMax);
  return { ...span, base64: Buffer.from(bytes).toString('base64') };
}
