import type { Socket } from 'node:net';
import { OutlastError } from '../base/errors.ts';
import { encodeFrame, FRAME, FRAME_BODY_BYTES_MAX, type Frame, type FrameReader } from './frames.ts';
import type { QueryFilter } from './queries.ts';

/** One connection to a holder: the daemon with a request, or a person who watches. */
export interface Connection {
  readonly socket: Socket;
  /** Not null once it watches. */
  view: { readonly readOnly: boolean; readonly filter: QueryFilter } | null;
  /** A view that may type. */
  types: boolean;
  /** The program's terminal has the size of this connection's terminal. */
  lentSize: boolean;
}

/** The frames in what was received; null when it is not our protocol. */
export function readFrames(reader: FrameReader, bytes: Uint8Array): Frame[] | null {
  try {
    return reader.push(bytes);
  } catch {
    return null;
  }
}

/** Refuses a change by a connection that may only watch. */
export function refuseReadOnly(connection: Connection): void {
  if (connection.view?.readOnly)
    throw new OutlastError('not_supported', 'cannot write or resize: this viewer is read-only');
}

/** Sends output in frames small enough for every reader. */
export function sendOutput(socket: Socket, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += FRAME_BODY_BYTES_MAX) {
    socket.write(encodeFrame(FRAME.output, 0, bytes.subarray(from, from + FRAME_BODY_BYTES_MAX)));
  }
}
