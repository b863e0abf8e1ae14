import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Writing } from '../../core/event.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { decodeHex, encodeKeys } from '../../terminal/keys.ts';
import type { TerminalInput, Written } from '../../terminal/terminal.ts';
import type { Parts } from '../serve/parts.ts';
import { refusalOfScreens } from '../start/refusals.ts';
import { running } from '../waits/running.ts';

/** Sends bytes, keys or a paste. Each is recorded as an intent first, and never repeated. */
export async function sessionWrite(
  parts: Parts,
  input: HandlerInput<'session.write'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.write'>> {
  const session = await running(parts, input.session, signal);
  if (session.spec.drive === 'server')
    throw refusalOfScreens(session, `it accepts no keys; give it a prompt: outlast prompt ${nameOf(session)}`);
  const writings = writingsOf(session, input);
  if (writings.length === 0) throw new OutlastError('input_invalid', 'there is nothing to send');
  let bytes = 0;
  let pendingBytes = 0;
  for (const [i, writing] of writings.entries()) {
    if (i > 0 && writing.isNext) await parts.clock.sleep(input.delayMs, signal);
    if (signal.aborted) break;
    const written = await sendOrRefuse(parts, session, writing, bytes > 0);
    bytes += written.bytes;
    pendingBytes = written.pendingBytes;
    if (!written.refusedBytes) continue;
    // After a gap the rest would mean something else: nothing more is sent.
    const rest = writings.slice(i + 1).reduce((sum, each) => sum + each.bytes, 0);
    return { bytes, pendingBytes, refusedBytes: written.refusedBytes + rest };
  }
  return { bytes, pendingBytes };
}

interface Outgoing {
  readonly what: Writing;
  readonly input: TerminalInput;
  readonly bytes: number;
  /** A key that follows another one after a pause. */
  readonly isNext?: boolean;
}

/** Everything is encoded before anything is sent: an invalid key must not leave half a line typed. */
function writingsOf(session: Session, input: HandlerInput<'session.write'>): Outgoing[] {
  const outgoing: Outgoing[] = [];
  const bytes = (what: Writing, data: Uint8Array): void => {
    if (data.length > 0) outgoing.push({ what, input: { kind: 'bytes', bytes: data }, bytes: data.length });
  };
  if (input.base64 !== undefined) bytes('bytes', Buffer.from(input.base64, 'base64'));
  if (input.hex !== undefined) bytes('bytes', decodeHex(input.hex));
  if (input.keys !== undefined && input.keys.length > 0) {
    const presses = input.delayMs > 0 ? input.keys.map((key) => [key]) : [input.keys];
    for (const [i, keys] of presses.entries()) {
      const { length } = encodeKeys(keys, { applicationCursor: false });
      outgoing.push({ what: 'keys', input: { kind: 'keys', keys }, bytes: length, isNext: i > 0 });
    }
  }
  if (input.paste !== undefined && input.paste !== '') {
    outgoing.push({
      what: 'paste',
      input: { kind: 'paste', text: input.paste },
      bytes: Buffer.byteLength(input.paste),
    });
  }
  // Enter is a carriage return on a terminal, and a line feed on a pipe.
  if (input.submit) bytes('keys', Buffer.from(terminalOf(session) === 'pipe' ? '\n' : '\r'));
  if (input.eof) outgoing.push({ what: 'eof', input: { kind: 'eof' }, bytes: 0 });
  return outgoing;
}

/** Returns a refusal instead of an error once something was sent: an error would hide that. */
async function sendOrRefuse(parts: Parts, session: Session, outgoing: Outgoing, isLater: boolean): Promise<Written> {
  try {
    return await send(parts, session, outgoing);
  } catch (error) {
    const isFull = error instanceof OutlastError && error.code === 'input_full';
    if (!isFull || !isLater || outgoing.bytes === 0) throw error;
    return { bytes: 0, pendingBytes: 0, refusedBytes: outgoing.bytes };
  }
}

async function send(parts: Parts, session: Session, { what, input, bytes }: Outgoing): Promise<Written> {
  if (terminalOf(session) === 'pipe' && session.spec.stdin !== 'open') {
    throw new OutlastError('input_closed', `${nameOf(session)} was started without an open standard input`);
  }
  parts.sessions.submit(session, { type: 'write', what, bytes });
  return parts.terminals[terminalOf(session)].write(refOf(session), input);
}
