import { bytesFrame, FROM_SERVER, frame, jsonFrame, type OutputInput } from '../../api/live-frames.ts';
import { anySignal } from '../../base/signals.ts';
import type { Outlast } from '../../client/index.ts';
import type { Channel } from './channel.ts';

/** A frame is much smaller than the credit of a channel: the next one need not wait until all before it is read. */
const PIECE_BYTES = 32 * 1024;

/**
 * Sends raw output from an offset until the session ends. A reader that has fallen behind by more than it wants gets a
 * `skip` to the present end: the output itself is in its file, and is not slowed down by anybody.
 */
export async function sendOutput(outlast: Outlast, channel: Channel, input: OutputInput): Promise<void> {
  const { session, skipBytes } = input;
  let at = input.from;
  let { end } = await outlast.output({ session, view: 'raw', from: at, bytes: 0 }, channel.signal);
  const sayCurrent = (): void => {
    if (at < end) return;
    channel.current();
    end = Number.POSITIVE_INFINITY;
  };
  for (let isOver = false; !isOver && !channel.signal.aborted; ) {
    if (skipBytes !== undefined) at = await skipped(outlast, channel, { session, at, skipBytes });
    sayCurrent();
    const reading = new AbortController();
    const signal = anySignal(channel.signal, reading.signal);
    isOver = true;
    const lines = outlast.transport.follow('session.follow', { session, view: 'raw', from: at }, signal);
    for await (const { base64, next, droppedBytes = 0, session: ended } of lines) {
      if (ended !== undefined) {
        await channel.send(jsonFrame(FROM_SERVER.line, channel.id, { ended: true }));
        return;
      }
      const bytes = Buffer.from(base64 ?? '', 'base64');
      const from = (next ?? at) - bytes.length;
      if (droppedBytes > 0) await channel.send(jsonFrame(FROM_SERVER.skip, channel.id, { from: at, to: from }));
      let hadRoom = true;
      for (let piece = 0; piece < bytes.length; piece += PIECE_BYTES) {
        const part = bytes.subarray(piece, piece + PIECE_BYTES);
        hadRoom = (await channel.send(bytesFrame(channel.id, from + piece, part))) && hadRoom;
      }
      at = next ?? at;
      sayCurrent();
      // It had to wait for its reader: by now there may be too much to send it all.
      if (hadRoom || skipBytes === undefined) continue;
      isOver = false;
      break;
    }
    reading.abort();
  }
}

/** Where to go on: at the present end, when the reader is too far behind. */
async function skipped(
  outlast: Outlast,
  channel: Channel,
  { session, at, skipBytes }: { readonly session: string; readonly at: number; readonly skipBytes: number },
): Promise<number> {
  const { end } = await outlast.output({ session, view: 'raw', from: at, bytes: 0 }, channel.signal);
  if (end - at <= skipBytes) return at;
  await channel.send(jsonFrame(FROM_SERVER.skip, channel.id, { from: at, to: end }));
  return end;
}

/** The last frame of a stream that is complete. */
export function endFrame(channel: Channel): Uint8Array {
  return frame(FROM_SERVER.end, channel.id);
}
