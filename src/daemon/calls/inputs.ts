import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Writing } from '../../core/event.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { interruptRun } from '../../terminal/end.ts';
import { decodeHex, encodeKeys } from '../../terminal/keys.ts';
import type { TerminalInput, Written } from '../../terminal/terminal.ts';
import { viewOf } from '../views/view.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import type { Parts } from './parts.ts';
import { interruptTurn } from './talks.ts';

/** Sends bytes, keys or a paste. Each is an intent in the journal first, and is never repeated. */
export async function write(
  parts: Parts,
  input: HandlerInput<'session.write'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.write'>> {
  const session = await running(parts, input.session, signal);
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
    // What comes after a gap would mean something else: nothing more is sent.
    const rest = writings.slice(i + 1).reduce((sum, each) => sum + each.bytes, 0);
    return { bytes, pendingBytes, refusedBytes: written.refusedBytes + rest };
  }
  return { bytes, pendingBytes };
}

/** Changes the size of the terminal. */
export async function resize(
  parts: Parts,
  input: HandlerInput<'session.resize'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.resize'>> {
  const session = await running(parts, input.session, signal);
  if (terminalOf(session) === 'pipe')
    throw new OutlastError('not_supported', 'a pipe has no size; use --pty or --tmux');
  parts.sessions.take(session, { type: 'write', what: 'size', bytes: 0 });
  await parts.terminals[terminalOf(session)].resize(refOf(session), { columns: input.columns, rows: input.rows });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}

/** Ctrl-C: on a terminal the byte, on a pipe the signal it stands for. An agent ends its turn in its own way. */
export async function interrupt(
  parts: Parts,
  input: HandlerInput<'session.interrupt'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.interrupt'>> {
  const session = await running(parts, input.session, signal);
  if (session.spec.drive !== 'command') {
    await interruptTurn(parts, session, signal);
    return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
  }
  parts.sessions.take(session, { type: 'write', what: 'interrupt', bytes: 0 });
  if (terminalOf(session) === 'pipe') interruptRun(parts.config.state, refOf(session));
  else await parts.terminals[terminalOf(session)].write(refOf(session), { kind: 'bytes', bytes: Uint8Array.of(3) });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}

/** How long a write waits for a session that is being started. */
const START_MS_MAX = 10_000;

/** The session, when there is a process to write to. What is written right after the start must not be lost. */
async function running(parts: Parts, word: string, signal: AbortSignal): Promise<Session> {
  const { clock, sessions } = parts;
  const { id } = sessions.find(word).session;
  const deadlineMs = clock.steadyMs() + START_MS_MAX;
  const isUp = (): boolean => !['queued', 'opening'].includes(sessions.find(id).session.phase.at);
  while (!isUp() && !signal.aborted) {
    if (clock.steadyMs() >= deadlineMs) throw new OutlastError('timed_out', `${word} is not running yet`);
    await waitForChange(parts, { session: id, files: [] }, isUp, signal, deadlineMs - clock.steadyMs());
  }
  return sessions.find(id).session;
}

interface Outgoing {
  readonly what: Writing;
  readonly input: TerminalInput;
  readonly bytes: number;
  /** A key after another one, with a pause between the two. */
  readonly isNext?: boolean;
}

/** Everything is encoded before anything is sent: a bad key must not leave half a line typed. */
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
  // Enter is a carriage return on a terminal, and the end of a line on a pipe.
  if (input.submit) bytes('keys', Buffer.from(terminalOf(session) === 'pipe' ? '\n' : '\r'));
  if (input.eof) outgoing.push({ what: 'eof', input: { kind: 'eof' }, bytes: 0 });
  return outgoing;
}

/** An error would hide that something was sent before. */
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
  parts.sessions.take(session, { type: 'write', what, bytes });
  return parts.terminals[terminalOf(session)].write(refOf(session), input);
}
