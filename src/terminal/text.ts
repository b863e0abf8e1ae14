/** Characters that are never passed on unchanged: C0 except tab and newline, DEL, C1. */
const SPECIAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** A longer sequence is treated as text. Otherwise a lone ESC ] would hide all later output. */
export const SEQUENCE_CHARS_MAX = 4096;

type State =
  | 'text'
  /** After ESC. */
  | 'escape'
  /** After ESC and an intermediate, as in the selection of a character set. */
  | 'designation'
  /** After ESC [. */
  | 'csi'
  /** After ESC ], until BEL or ST. */
  | 'osc'
  /** After ESC P, X, ^ or _, until ST. */
  | 'string'
  /** After SS2 or SS3: the next character belongs to it. */
  | 'single';

/**
 * Turns the bytes of a terminal into readable text, piece by piece: the same text however the bytes are split.
 *
 * Invariants: the text has no control characters but newline and tab. Movements become the least that keeps words
 * and lines apart: to another row a newline, along the row a space. A carriage return after text is a newline, because
 * a progress bar writes over itself, and the LF of a CR LF adds none. So each newline belongs to the one byte that made
 * it, and every line begins at a byte.
 */
export class TextFilter {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #state: State = 'text';
  /** Characters of the sequence that is being read. */
  #chars = 0;
  #parameters = '';
  /** The last character that was emitted; a newline at the beginning, since that line is empty too. */
  #last = '\n';
  /** A carriage return ended the line, and only sequences have come since. */
  #returned = false;
  #out = '';

  /** Returns the text of the next bytes, as far as it is certain. */
  push(bytes: Uint8Array): string {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Returns what was held back; an unfinished sequence is dropped. Afterwards the filter starts from scratch. */
  end(): string {
    const text = this.#read(this.#decoder.decode());
    this.#state = 'text';
    this.#last = '\n';
    this.#returned = false;
    return text;
  }

  /** Do the bytes so far end outside any sequence? A split character is not seen here. */
  get isBetween(): boolean {
    return this.#state === 'text';
  }

  /** Does the text so far end with a newline, or is it empty? */
  get isAtLineStart(): boolean {
    return this.#last === '\n';
  }

  #read(text: string): string {
    this.#out = '';
    for (let at = 0; at < text.length; ) at = this.#state === 'text' ? this.#skipText(text, at) : this.#step(text, at);
    return this.#out;
  }

  #skipText(text: string, from: number): number {
    SPECIAL.lastIndex = from;
    const at = SPECIAL.exec(text)?.index ?? text.length;
    if (at > from) this.#put(text.slice(from, at));
    if (at < text.length) this.#control(text.charCodeAt(at));
    return at + 1;
  }

  #put(text: string): void {
    const isLineEnd = this.#returned && text.startsWith('\n');
    this.#returned = false;
    this.#out += isLineEnd ? text.slice(1) : text;
    this.#last = text.charAt(text.length - 1);
  }

  /**
   * Processes one character of a sequence; returns where to continue, which is the same place when it was text after
   * all.
   */
  #step(text: string, at: number): number {
    const code = text.charCodeAt(at);
    this.#chars += 1;
    const isString = this.#state === 'osc' || this.#state === 'string';
    if (code === CAN || code === SUB) this.#state = 'text';
    else if (code === ESC) this.#enter('escape');
    else if (isString) this.#stepString(code);
    else if (code < 0x20 || (code >= 0x7f && code < 0xa0)) this.#control(code);
    else if (code >= 0xa0) return this.#leaveAt(at);
    else this.#stepSequence(code);
    // Not between the halves of a surrogate pair.
    if (this.#chars > SEQUENCE_CHARS_MAX && (code & 0xfc00) !== 0xd800) this.#state = 'text';
    return at + 1;
  }

  #leaveAt(at: number): number {
    this.#state = 'text';
    return at;
  }

  #stepString(code: number): void {
    if (code === ST || (code === BEL && this.#state === 'osc')) this.#state = 'text';
  }

  #stepSequence(code: number): void {
    const was = this.#state;
    const final = was === 'csi' ? 0x40 : was === 'single' ? 0x20 : 0x30;
    if (code >= final) {
      this.#state = 'text';
      if (was === 'csi') this.#finishCsi(String.fromCharCode(code));
      if (was === 'escape') this.#finishEscape(String.fromCharCode(code));
    } else if (was === 'escape') this.#enter('designation');
    else if (this.#parameters.length < PARAMETER_CHARS_MAX) this.#parameters += String.fromCharCode(code);
  }

  #finishEscape(letter: string): void {
    if ('EMD'.includes(letter)) this.#newRow();
    const next = STATE_AFTER_ESC[letter];
    if (next !== undefined) this.#enter(next);
  }

  /** Controls are executed in the middle of a sequence too, as terminals do. */
  #control(code: number): void {
    if (code === ESC) this.#enter('escape');
    else if (code === CR) this.#return();
    else if (code === LF) this.#put('\n');
    else if (code === TAB) this.#put('\t');
    // A C1 control is ESC and the character 64 below.
    else if (code >= 0x80) {
      this.#state = 'text';
      this.#finishEscape(String.fromCharCode(code - 0x40));
    }
  }

  #return(): void {
    if (this.#last === '\n') return;
    this.#put('\n');
    this.#returned = true;
  }

  #enter(state: State): void {
    // ESC inside a sequence starts a new one; a designation continues the one it is in.
    if (state !== 'designation') this.#chars = 0;
    this.#parameters = '';
    this.#state = state;
  }

  #finishCsi(final: string): void {
    // With a private marker or an intermediate, the same letter is another sequence.
    if (!/^[\d;:]*$/.test(this.#parameters)) return;
    if ('ABEFHdef'.includes(final)) this.#newRow();
    else if (final === 'G' || final === '`') this.#toColumn();
    else if (final === 'C' || final === 'a') this.#gap();
  }

  #newRow(): void {
    if (this.#last !== '\n') this.#put('\n');
    this.#returned = false;
  }

  #toColumn(): void {
    // The first column is where a carriage return goes, and spinners use it that way.
    if (/^[01]?$/.test(this.#parameters)) this.#control(CR);
    else this.#gap();
  }

  #gap(): void {
    if (this.#last !== ' ' && this.#last !== '\n') this.#put(' ');
  }
}

/** The text of a whole piece of output. */
export function toText(bytes: Uint8Array): string {
  const filter = new TextFilter();
  return filter.push(bytes) + filter.end();
}

const PARAMETER_CHARS_MAX = 32;
const BEL = 0x07;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const CAN = 0x18;
const SUB = 0x1a;
const ESC = 0x1b;
const ST = 0x9c;

const STATE_AFTER_ESC: Readonly<Record<string, State>> = {
  '[': 'csi',
  ']': 'osc',
  P: 'string',
  X: 'string',
  '^': 'string',
  _: 'string',
  N: 'single',
  O: 'single',
};
