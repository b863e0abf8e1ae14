import { CONTROL_CHANNEL, FROM_PAGE, FROM_SERVER, jsonIn, PASTE_BYTES_MAX } from '../../api/live-frames.ts';
import { OutlastError } from '../../base/errors.ts';
import type { PageChannel } from './channel.ts';
import { Value } from './observed.ts';
import type { LiveSocket } from './socket.ts';
import type { Control } from './types.ts';

const encoder = new TextEncoder();

/**
 * Takes control of a terminal. It lasts as long as the connection: when that is lost, control is over, and is not taken
 * again by itself.
 */
export async function takeControl(socket: LiveSocket, session: string, signal: AbortSignal): Promise<Control> {
  const channel = await socket.open(CONTROL_CHANNEL, { session }, signal);
  const lines = channel.read(signal);
  const first = await lines.next();
  const { control } = (first.done === true ? {} : jsonIn(first.value)) as { control?: string };
  if (control === undefined) throw new OutlastError('not_supported', 'control of the terminal was not given');
  return new Typist(control, channel, rest(lines));
}

async function rest(lines: ReturnType<PageChannel['read']>): Promise<void> {
  for await (const line of lines) if (line.type !== FROM_SERVER.line) return;
}

class Typist implements Control {
  readonly taken = new Value(0);
  readonly sent = new Value(0);
  readonly over: Promise<void>;
  readonly id: string;
  readonly #channel: PageChannel;

  constructor(id: string, channel: PageChannel, over: Promise<void>) {
    this.id = id;
    this.#channel = channel;
    this.over = over;
    channel.onTaken = (next) => this.taken.set(next);
  }

  type(bytes: Uint8Array): void {
    if (this.#channel.input(FROM_PAGE.input, this.sent.value, bytes)) this.sent.set(this.sent.value + 1);
  }

  paste(text: string): void {
    const bytes = encoder.encode(text);
    if (bytes.length > PASTE_BYTES_MAX)
      throw new OutlastError(
        'input_invalid',
        `a paste may have ${PASTE_BYTES_MAX} bytes, this one has ${bytes.length}`,
      );
    if (this.#channel.input(FROM_PAGE.paste, this.sent.value, bytes)) this.sent.set(this.sent.value + 1);
  }
}
