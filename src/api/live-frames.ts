// The frames of the live connection between the web page and its server: a type, a channel and a payload. A channel is
// one stream; its number is chosen by the page. Channel 0 is the connection itself.

/**
 * From the page. `ack`: so many bytes of the channel were read. `input`: the number of what was typed, then the bytes;
 * `paste`: likewise a text to paste.
 */
export const FROM_PAGE = { ticket: 1, open: 2, ack: 3, close: 4, input: 5, paste: 6 } as const;

/**
 * From the server. `ready`: the ticket was good. `alive`: sent when nothing else is. `line`: one line of the stream.
 * `bytes`: raw output, after its offset. `skip`: output that is left out. `current`: all that had happened when the
 * channel was opened was sent. `newcomer`: another browser was signed in just now. `taken`: what was typed before this
 * number has arrived.
 */
export const FROM_SERVER = {
  ready: 1,
  alive: 2,
  line: 3,
  bytes: 4,
  skip: 5,
  current: 6,
  end: 7,
  error: 8,
  newcomer: 9,
  taken: 10,
} as const;

/** Why the server closes a connection, as close codes. */
export const CLOSED = { noTicket: 4401, revoked: 4403, tooMany: 4429, wrongFrame: 4400, leaving: 4503 } as const;

/** Bytes of a channel that the server sends before the page has acknowledged them. */
export const CREDIT_BYTES = 256 * 1024;

/** How often the server sends something. A page that hears nothing for longer than twice this has lost it. */
export const ALIVE_MS = 15_000;

/** The stream on which a page types. It is opened like one that reads, and takes input. */
export const CONTROL_CHANNEL = 'session.control';

/** A text to paste is sent whole, in one frame: it has at most this many bytes. */
export const PASTE_BYTES_MAX = 48 * 1024;

/** Streams that are no operation. */
export const OUTPUT_CHANNEL = 'page.output';

/** The input of `page.output`. */
export interface OutputInput {
  readonly session: string;
  readonly from: number;
  /** A reader that is further behind than this gets a `skip`. */
  readonly skipBytes?: number | undefined;
}

export interface LiveFrame {
  readonly type: number;
  readonly channel: number;
  readonly payload: Uint8Array<ArrayBuffer>;
}

const HEAD_BYTES = 5;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A frame with bytes. */
export function frame(type: number, channel: number, payload: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD_BYTES + payload.length);
  new DataView(bytes.buffer).setUint32(1, channel);
  bytes[0] = type;
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

/** A frame with a JSON value. */
export function jsonFrame(type: number, channel: number, value: unknown): Uint8Array<ArrayBuffer> {
  return frame(type, channel, encoder.encode(JSON.stringify(value)));
}

/** A frame with raw output, which begins at this offset. */
export function bytesFrame(channel: number, from: number, output: Uint8Array): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(8 + output.length);
  new DataView(payload.buffer).setFloat64(0, from);
  payload.set(output, 8);
  return frame(FROM_SERVER.bytes, channel, payload);
}

/** The output in a payload, and its offset. */
export function readBytes(payload: Uint8Array<ArrayBuffer>): { from: number; bytes: Uint8Array<ArrayBuffer> } {
  const from = new DataView(payload.buffer, payload.byteOffset).getFloat64(0);
  return { from, bytes: payload.subarray(8) };
}

/** A frame; null: too short to be one. */
export function readFrame(bytes: Uint8Array<ArrayBuffer>): LiveFrame | null {
  if (bytes.length < HEAD_BYTES) return null;
  const channel = new DataView(bytes.buffer, bytes.byteOffset).getUint32(1);
  return { type: bytes[0] ?? 0, channel, payload: bytes.subarray(HEAD_BYTES) };
}

/** The text in a frame. */
export function textOf({ payload }: Pick<LiveFrame, 'payload'>): string {
  return decoder.decode(payload);
}

/** The JSON value in a frame; undefined: it has none. */
export function jsonIn(frame: Pick<LiveFrame, 'payload'>): unknown {
  try {
    return JSON.parse(textOf(frame));
  } catch {
    return undefined;
  }
}

/** A frame with what was typed, or with a text to paste. */
export function inputFrame(
  type: typeof FROM_PAGE.input | typeof FROM_PAGE.paste,
  channel: number,
  number: number,
  bytes: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const payload = new Uint8Array(4 + bytes.length);
  new DataView(payload.buffer).setUint32(0, number);
  payload.set(bytes, 4);
  return frame(type, channel, payload);
}

/** What was typed, and its number; null: the frame is too short. */
export function readInput({ payload }: Pick<LiveFrame, 'payload'>): { number: number; bytes: Uint8Array } | null {
  if (payload.length < 4) return null;
  const number = new DataView(payload.buffer, payload.byteOffset).getUint32(0);
  return { number, bytes: payload.subarray(4) };
}
