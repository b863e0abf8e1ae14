import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { byHost } from '../../core/actor.ts';
import type { Session } from '../../core/session.ts';
import { type OutputFiles, outputSize, readBase64, readText, type Span } from '../../terminal/output.ts';
import { droppedWithin } from '../../terminal/output-cap.ts';
import type { Parts } from '../serve/parts.ts';
import { filesOf } from '../views/output-files.ts';
import { viewOf } from '../views/view.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

/** Streams output until the session has ended and all of it was sent. */
export async function* sessionFollow(
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
      // Read before the page: an ended session prints no more, so an empty page after it is the end.
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
        // Output beyond the cap is dropped right after the end: the caller that waited for the result should know.
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

/** The caller that waited for the result is gone: now the end must be announced. */
function leave({ sessions }: Parts, { id }: Session): void {
  const { session, live } = sessions.find(id);
  if (live && !session.background) sessions.submit(session, { type: 'background', by: byHost('caller-left') });
}

async function pageOf(
  files: OutputFiles,
  { view }: { readonly view: 'text' | 'raw' },
  page: { readonly offset: number; readonly bytesMax: number; readonly ended: boolean },
): Promise<Span & { readonly text?: string; readonly base64?: string }> {
  return view === 'text' ? readText(files, page) : readBase64(files, page.offset, page.bytesMax);
}
