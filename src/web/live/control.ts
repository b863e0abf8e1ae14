import type { CallerProof } from '../../api/contract-approvals.ts';
import { FROM_PAGE, FROM_SERVER, jsonFrame, type LiveFrame, readInput } from '../../api/live-frames.ts';
import { OutlastError } from '../../base/errors.ts';
import { anySignal } from '../../base/signals.ts';
import type { Outlast } from '../../client/index.ts';
import type { Channel } from './channel.ts';

/** What was typed and not sent yet; more than this means that the daemon does not take it. */
const WAITING_MAX = 1_000;
/** Inputs are joined up to this size. */
const JOINED_BYTES_MAX = 32 * 1024;

/** Who types, as the journal names them, and the process that asks for them. */
export interface Typist {
  readonly by: string;
  readonly caller?: CallerProof | undefined;
}

interface Typed {
  readonly isPaste: boolean;
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** The input of a control channel: each is sent once, in order, and its number is sent back when it was typed. */
export class ControlInput {
  readonly #outlast: Outlast;
  readonly #channel: Channel;
  readonly #session: string;
  readonly #typist: Typist;
  readonly #waiting: Typed[] = [];
  #control: string | null = null;
  #isSending = false;
  /** Called when something could not be typed: what follows would mean something else. */
  onFailure: (error: unknown) => void = () => {};

  constructor(outlast: Outlast, channel: Channel, session: string, typist: Typist) {
    this.#typist = typist;
    this.#outlast = outlast;
    this.#channel = channel;
    this.#session = session;
  }

  /** Control was given. */
  begin(control: string): void {
    this.#control = control;
  }

  /** What the page typed; false: it is no input. */
  take(frame: LiveFrame): boolean {
    const read = readInput(frame);
    if (read === null || (frame.type !== FROM_PAGE.input && frame.type !== FROM_PAGE.paste)) return false;
    if (this.#control === null || this.#waiting.length >= WAITING_MAX) return false;
    this.#waiting.push({ isPaste: frame.type === FROM_PAGE.paste, ...read });
    if (!this.#isSending) void this.#send(this.#control);
    return true;
  }

  async #send(control: string): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#waiting.length > 0 && !this.#channel.signal.aborted) {
        const { number, count, ...typed } = this.#next();
        const { caller } = this.#typist;
        const input = { session: this.#session, control, number, count, caller, ...typed };
        const { taken } = await this.#outlast.type(input, this.#channel.signal);
        this.#channel.tell(jsonFrame(FROM_SERVER.taken, this.#channel.id, taken));
      }
    } catch (error) {
      this.onFailure(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** The next input; keys that came meanwhile go with it. */
  #next(): { number: number; count: number; base64?: string; paste?: string } {
    const first = this.#waiting.shift();
    if (first === undefined) throw new OutlastError('internal', 'nothing was typed');
    const { number, isPaste } = first;
    if (isPaste) return { number, count: 1, paste: Buffer.from(first.bytes).toString() };
    const pieces = [first.bytes];
    for (let bytes = first.bytes.length; bytes < JOINED_BYTES_MAX; ) {
      const next = this.#waiting[0];
      if (next === undefined || next.isPaste || next.number !== number + pieces.length) break;
      this.#waiting.shift();
      pieces.push(next.bytes);
      bytes += next.bytes.length;
    }
    return { number, count: pieces.length, base64: Buffer.concat(pieces).toString('base64') };
  }
}

/** Takes control of a terminal for a channel; it goes back when the channel ends, or when this process does. */
export async function sendControl(outlast: Outlast, channel: Channel, session: string, typist: Typist): Promise<void> {
  const failing = new AbortController();
  const typing = new ControlInput(outlast, channel, session, typist);
  typing.onFailure = (error) => failing.abort(error);
  channel.onInput = (frame) => typing.take(frame);
  const signal = anySignal(channel.signal, failing.signal);
  for await (const line of outlast.control({ session, ...typist }, signal)) {
    if (line.control !== undefined) typing.begin(line.control);
    await channel.send(jsonFrame(FROM_SERVER.line, channel.id, line));
  }
}
