// The holder answers what a program asks of its terminal. A viewer's terminal sees the same output and would answer
// too, and the program would read the second answer as typing. So queries are cut from what viewers get.

const ESC = 0x1b;
const BEL = 0x07;

/** Longer sequences pass through unread: no query is that long, and memory is bounded. */
const SEQUENCE_BYTES_MAX = 4096;

/** Removes queries from a stream of output; sequences may be split anywhere. */
export class QueryFilter {
  /** The sequence being read, from its ESC on; empty between sequences. */
  #held: number[] = [];

  push(bytes: Uint8Array): Uint8Array {
    if (this.#held.length === 0 && bytes.indexOf(ESC) === -1) return bytes;
    const kept = new ByteList(bytes.length + this.#held.length);
    for (const byte of bytes) this.#take(byte, kept);
    return kept.bytes();
  }

  #take(byte: number, kept: ByteList): void {
    if (this.#held.length === 0 && byte !== ESC) return kept.add(byte);
    this.#held.push(byte);
    const state = readSequence(this.#held);
    if (state === 'open' && this.#held.length < SEQUENCE_BYTES_MAX) return;
    if (state !== 'question') for (const each of this.#held) kept.add(each);
    this.#held = [];
  }
}

/** Grows to at most what came in: filtering only removes. */
class ByteList {
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytes = new Uint8Array(bytesMax);
  }

  add(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }
}

type Reading = 'open' | 'question' | 'other';

function readSequence(held: readonly number[]): Reading {
  const [, second] = held;
  if (second === undefined) return 'open';
  if (second === 0x5b) return readCsi(held);
  if (second === 0x5d || second === 0x50) return readString(held, second === 0x5d);
  return 'other';
}

function readCsi(held: readonly number[]): Reading {
  const last = held.at(-1) ?? 0;
  if (held.length < 3 || (last >= 0x20 && last < 0x40)) return 'open';
  if (last < 0x40 || last > 0x7e) return 'other'; // Interrupted by a control character.
  return isCsiQuestion(String.fromCharCode(...held.slice(2))) ? 'question' : 'other';
}

/** Status and cursor, attributes, modes, version, keyboard flags, window, parameters, graphics, presentation. */
const CSI_QUESTIONS = [
  /^\??[\d;]*n$/,
  /^[>=]?[\d;]*c$/,
  /\$p$/,
  /^>[\d;]*q$/,
  /^\?u$/,
  /^(1[1345689]|2[01])[\d;]*t$/,
  /^\d*x$/,
  /^\?[\d;]*S$/,
  /\$w$/,
];

function isCsiQuestion(rest: string): boolean {
  return CSI_QUESTIONS.some((question) => question.test(rest));
}

function readString(held: readonly number[], isOsc: boolean): Reading {
  const last = held.at(-1);
  const ended = (last === BEL && isOsc) || (last === 0x5c && held.at(-2) === ESC);
  if (!ended) return 'open';
  const body = String.fromCharCode(...held.slice(2, last === BEL ? -1 : -2));
  return (isOsc ? /;\?(;|$)/ : /^[+$]q/).test(body) ? 'question' : 'other';
}
