import { createConnection, type Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { CODES, type ErrorCode, errnoOf, OutlastError } from '../base/errors.ts';
import { decodeJson, encodeFrame, FRAME, type Frame, FrameReader } from './frames.ts';

/** One request to a holder. */
export interface HolderCall {
  readonly socket: string;
  readonly type: number;
  readonly body?: Uint8Array;
}

/** The holder's answer. `gone` is one too: the run has ended, or the holder was killed. */
export type HolderAnswer = { readonly is: 'answer'; readonly value: unknown } | { readonly is: 'gone' };

const CALL_MS_MAX = 5_000;
const CALL_ID = 1;
const GONE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

/** Sends one request to a holder over a connection of its own. Never repeats it. */
export async function callHolder(call: HolderCall, clock: Clock): Promise<HolderAnswer> {
  const connection = createConnection(call.socket);
  const deadline = new AbortController();
  const late = clock.sleep(CALL_MS_MAX, deadline.signal).then((): never => {
    throw new OutlastError('terminal_failed', `no answer from the holder at ${call.socket} within ${CALL_MS_MAX} ms`);
  });
  // When the answer wins the race, this rejection has no other handler.
  late.catch(() => {});
  try {
    return await Promise.race([answerOf(connection, call), late]);
  } finally {
    deadline.abort();
    connection.destroy();
  }
}

function answerOf(connection: Socket, call: HolderCall): Promise<HolderAnswer> {
  const reader = new FrameReader();
  return new Promise((resolve, reject) => {
    connection.on('error', (error) => (GONE.has(errnoOf(error)) ? resolve({ is: 'gone' }) : reject(error)));
    connection.on('close', () => resolve({ is: 'gone' }));
    connection.on('data', (bytes) => {
      try {
        for (const frame of reader.push(bytes))
          if (frame.id === CALL_ID) resolve({ is: 'answer', value: readAnswer(frame) });
      } catch (error) {
        reject(error);
      }
    });
    connection.write(encodeFrame(call.type, CALL_ID, call.body));
  });
}

function readAnswer(frame: Frame): unknown {
  const value = decodeJson(frame);
  if (frame.type !== FRAME.failed) return value;
  const { code, message } = value as { readonly code: string; readonly message: string };
  throw new OutlastError(code in CODES ? (code as ErrorCode) : 'internal', message);
}
