import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import { readBase64 } from '../../terminal/output.ts';
import { readPage } from '../../terminal/output-page.ts';
import type { Parts } from '../serve/parts.ts';
import { filesOf } from '../views/output-files.ts';

/** One page of output: by byte, by line, or the last lines. */
export async function sessionOutput(
  parts: Parts,
  input: HandlerInput<'session.output'>,
): Promise<CallOutput<'session.output'>> {
  const row = parts.sessions.find(input.session);
  const files = filesOf(parts.config.state, row.session, input.stream);
  const facts = { incomplete: row.session.run?.incomplete ?? false, ended: !row.live };
  const bytesMax = input.bytes ?? LIMITS.readBytesMax;
  const { tail, offset, from, limit } = input;
  const isByLine = [tail, offset, limit].some((n) => n !== undefined);
  // Lines are always text, whatever the view.
  if (input.view === 'raw' && !isByLine) {
    const page = await readBase64(files, from ?? 0, bytesMax);
    return { ...page, ...facts, more: page.next < page.end };
  }
  const start = tail !== undefined ? { tail } : offset !== undefined ? { line: offset } : { byte: from ?? 0 };
  return { ...(await readPage(files, parts.lines, { start, bytesMax, linesMax: limit, ended: !row.live })), ...facts };
}
