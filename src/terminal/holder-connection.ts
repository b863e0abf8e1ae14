import type { Socket } from 'node:net';
import { OutlastError } from '../base/errors.ts';
import { encodeFrame, FRAME, FRAME_BODY_BYTES_MAX, type Frame, type FrameReader } from './frames.ts';
import type { QueryFilter } from './queries.ts';

/** Somebody at the socket of a holder: the daemon with a question, or a person who watches. */
export interface Connection {
  readonly socket: Socket;
  /** Not null from the moment it watches. */
  view: { readonly readOnly: boolean; readonly filter: QueryFilter } | null;
  /** It came to watch and to type. */
  types: boolean;
  /** The size of the program's terminal is that of its own. */
  lentSize: boolean;
}

/** The frames in what came; null when that is none. */
export function readFrames(reader: FrameReader, bytes: Uint8Array): Frame[] | null {
  try {
    return reader.push(bytes);
  } catch {
    return null;
  }
}

/** Refuses to change anything for who only watches. */
export function refuseReadOnly(connection: Connection): void {
  if (connection.view?.readOnly)
    throw new OutlastError('not_supported', 'cannot write or resize: this viewer is read-only');
}

/** Sends what was printed, in frames of a size that every reader takes. */
export function sendOutput(socket: Socket, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; from += FRAME_BODY_BYTES_MAX) {
    socket.write(encodeFrame(FRAME.output, 0, bytes.subarray(from, from + FRAME_BODY_BYTES_MAX)));
  }
}
