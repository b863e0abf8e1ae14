import type { CallOutput } from '../api/contract.ts';
import { failed, mayType, type ProcessInput } from './process-input.ts';
import type { Answer, Call } from './tool.ts';

/** `write`: raw bytes. */
export async function write({ sessionId, data = '', eof = false }: ProcessInput, call: Call): Promise<Answer> {
  if (data === '' && !eof) return failed('Pass data, or eof=true.');
  const session = await mayType(call, sessionId);
  const sent = await call.outlast.write({ session, ...bytesOf(data), eof }, call.signal);
  return said(
    `Wrote ${Buffer.byteLength(data)} bytes to session ${session}${eof ? ' (stdin closed)' : ''}.`,
    session,
    sent,
  );
}

/** `send-keys`: text, then bytes, then keys. */
export async function sendKeys({ sessionId, literal = '', hex = [], keys = [] }: ProcessInput, call: Call) {
  if (literal === '' && hex.length === 0 && keys.length === 0) return failed('No key data provided.');
  const session = await mayType(call, sessionId);
  const more = { ...(hex.length > 0 ? { hex } : {}), ...(keys.length > 0 ? { keys } : {}) };
  const sent = await call.outlast.write({ session, ...bytesOf(literal), ...more }, call.signal);
  return said(`Sent ${sent.bytes} bytes to session ${session}.`, session, sent);
}

/** `submit`: Enter. */
export async function submit({ sessionId }: ProcessInput, call: Call): Promise<Answer> {
  const session = await mayType(call, sessionId);
  const sent = await call.outlast.write({ session, submit: true }, call.signal);
  return said(`Submitted session ${session} (sent CR).`, session, sent);
}

/** `paste`: bracketed if the program supports it, else plain. */
export async function paste({ sessionId, text = '', bracketed }: ProcessInput, call: Call): Promise<Answer> {
  if (text === '') return failed('No paste text provided.');
  const session = await mayType(call, sessionId);
  const sent = await call.outlast.write({ session, ...(bracketed ? { paste: text } : bytesOf(text)) }, call.signal);
  return said(`Pasted ${text.length} chars to session ${session}.`, session, sent);
}

function bytesOf(text: string): { base64?: string } {
  return text === '' ? {} : { base64: Buffer.from(text).toString('base64') };
}

function said(text: string, sessionId: string, sent: CallOutput<'session.write'>): Answer {
  const { refusedBytes = 0 } = sent;
  if (refusedBytes === 0) return { text, details: { status: 'running', sessionId, ...sent } };
  return failed(`The command does not read: ${refusedBytes} bytes were not accepted. ${sent.bytes} were.`, {
    ...sent,
  });
}
