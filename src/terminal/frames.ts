import { OutlastError } from '../base/errors.ts';

/** One message on a holder's socket, either way. A reply has the id of its request. */
export interface Frame {
  readonly type: number;
  readonly id: number;
  readonly body: Uint8Array;
}

/**
 * The version that a holder reports in its hello. A newer daemon asks an older holder only for what that version knows.
 */
export const PROTOCOL = 1;

/** Frame types. A number is never reused: old holders live for months. */
export const FRAME = {
  /** Holder, first: JSON { protocol, name, pid }. */
  hello: 1,
  /** Raw bytes for the program. */
  write: 2,
  /** JSON list of key names. */
  keys: 3,
  /** Text, UTF-8. */
  paste: 4,
  /** JSON { columns, rows }. */
  resize: 5,
  screen: 6,
  // 7 was used by an older version.
  /** JSON { readOnly }: from now on this connection receives what the program prints. */
  view: 8,
  /** How many connections are views that may type. */
  viewers: 9,
  /** JSON { above, skip, now }: the screen as it looks. Holders of an earlier build do not know it. */
  styled: 10,
  /** Holder: the answer, as JSON. */
  done: 16,
  /** Holder: JSON { code, message }. */
  failed: 17,
  /** Holder: raw bytes to show. */
  output: 18,
  /** Holder: the program has ended and all it printed was sent. */
  end: 19,
} as const;

/** The largest body. More is sent in pieces, or refused. */
export const FRAME_BODY_BYTES_MAX = 1024 * 1024;

const LENGTH_BYTES = 4;
const HEAD_BYTES = 5; // Type and id; counted by the length.

/** The bytes of one frame: 4 of length, 1 of type, 4 of id, then the body. */
export function encodeFrame(type: number, id: number, body: Uint8Array = new Uint8Array()): Buffer {
  if (body.length > FRAME_BODY_BYTES_MAX) {
    throw new OutlastError(
      'input_invalid',
      `cannot send ${body.length} bytes to a holder at once: at most ${FRAME_BODY_BYTES_MAX}`,
    );
  }
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + HEAD_BYTES + body.length);
  bytes.writeUInt32BE(HEAD_BYTES + body.length, 0);
  bytes.writeUInt8(type, LENGTH_BYTES);
  bytes.writeUInt32BE(id, LENGTH_BYTES + 1);
  bytes.set(body, LENGTH_BYTES + HEAD_BYTES);
  return bytes;
}

/** The bytes of one frame whose body is JSON. */
export function encodeJson(type: number, id: number, value: unknown): Buffer {
  return encodeFrame(type, id, Buffer.from(JSON.stringify(value)));
}

/** The JSON in a frame. Both ends are ours; what a caller sent was checked before it came here. */
export function decodeJson(frame: Frame): unknown {
  return JSON.parse(Buffer.from(frame.body).toString());
}

/** Cuts a stream of bytes into frames, however the stream was split on the way. */
export class FrameReader {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  push(piece: Uint8Array): Frame[] {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    const frames: Frame[] = [];
    for (let frame = this.#take(); frame !== null; frame = this.#take()) frames.push(frame);
    return frames;
  }

  #take(): Frame | null {
    if (this.#bytes < LENGTH_BYTES) return null;
    const bytesMore = this.#peekLength();
    if (bytesMore < HEAD_BYTES || bytesMore > HEAD_BYTES + FRAME_BODY_BYTES_MAX) {
      throw new OutlastError('input_invalid', `cannot read a frame of ${bytesMore} bytes: this is not our protocol`);
    }
    if (this.#bytes < LENGTH_BYTES + bytesMore) return null;
    const all = this.#join();
    const end = LENGTH_BYTES + bytesMore;
    this.#pieces = end < all.length ? [all.subarray(end)] : [];
    this.#bytes = all.length - end;
    return {
      type: all.readUInt8(LENGTH_BYTES),
      id: all.readUInt32BE(LENGTH_BYTES + 1),
      body: all.subarray(LENGTH_BYTES + HEAD_BYTES, end),
    };
  }

  #peekLength(): number {
    const first = this.#pieces[0];
    // The four bytes may be split over several pieces; joining them is rare, and cheap.
    const head =
      first !== undefined && first.length >= LENGTH_BYTES
        ? Buffer.from(first.buffer, first.byteOffset, 4)
        : this.#join();
    return head.readUInt32BE(0);
  }

  #join(): Buffer {
    const all = Buffer.concat(this.#pieces, this.#bytes);
    this.#pieces = [all];
    return all;
  }
}
