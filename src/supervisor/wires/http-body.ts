import type { IncomingMessage } from 'node:http';
import { OutlastError } from '../../base/errors.ts';

/** A response of an agent. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The whole body of a response. One that breaks off is an error. */
export async function bodyOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) throw new OutlastError('terminal_failed', 'an answer of the agent is too long');
    pieces.push(piece);
  }
  if (!response.complete) throw new OutlastError('terminal_failed', 'an answer of the agent broke off');
  return Buffer.concat(pieces).toString('utf8');
}

/** The text parsed as JSON, or the text itself. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
