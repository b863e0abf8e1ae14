import { FROM_SERVER, jsonIn, OUTPUT_CHANNEL, type OutputInput, readBytes } from '../../api/live-frames.ts';
import type { Clock } from '../../base/clock.ts';
import { followOn } from '../../client/follow.ts';
import type { LiveSocket } from './socket.ts';
import type { OutputPiece } from './types.ts';

/** Raw output until the session ends. After a lost connection it continues at the byte after the last one that came. */
export async function* readOutput(
  socket: LiveSocket,
  clock: Clock,
  input: OutputInput,
  signal?: AbortSignal,
): AsyncGenerator<OutputPiece, void, void> {
  let { from } = input;
  const open = () => pieces(socket, { ...input, from }, signal);
  for await (const piece of followOn({}, clock, open, signal)) {
    if (piece === 'ended') continue;
    if (piece.is === 'bytes') from = piece.from + piece.bytes.length;
    if (piece.is === 'skip') from = piece.to;
    yield piece;
    if (piece.is === 'end') return;
  }
}

async function* pieces(
  socket: LiveSocket,
  input: OutputInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<OutputPiece, void, void> {
  const channel = await socket.open(OUTPUT_CHANNEL, input, signal);
  for await (const read of channel.read(signal)) {
    if (read.type === FROM_SERVER.bytes) yield { is: 'bytes', ...readBytes(read.payload) };
    else if (read.type === FROM_SERVER.skip) yield { is: 'skip', ...(jsonIn(read) as { from: number; to: number }) };
    // A daemon that shuts down ends a stream too; only the session itself says that it has ended.
    else if (read.type === FROM_SERVER.line) yield { is: 'end' };
  }
}
