/** One event of an agent, as much as a line on its output. A longer one would take the memory of other sessions. */
const EVENT_CHARS_MAX = 16 * 1024 * 1024;

/** Reads server-sent events in pieces of any size: returns the data of each complete event. */
export class EventReader {
  readonly #charsMax: number;
  /** The pieces of the line that is not complete yet. */
  #begun: string[] = [];
  /** The last piece ended with a carriage return, to which a line feed may belong. */
  #isReturned = false;
  #data: string[] = [];
  /** The length of the event so far. */
  #chars = 0;

  constructor(charsMax = EVENT_CHARS_MAX) {
    this.#charsMax = charsMax;
  }

  read(piece: string): string[] {
    const text = this.#isReturned ? `\r${piece}` : piece;
    this.#isReturned = text.endsWith('\r');
    // Each piece is searched once: a long line comes in thousands of them.
    const lines = (this.#isReturned ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? '';
    const events = lines.flatMap((line) => this.#line(line));
    this.#add(rest);
    return events;
  }

  /** The end of a line. Returns the event that a blank one completes. */
  #line(end: string): string[] {
    const isBlank = end === '' && this.#begun.length === 0;
    if (isBlank) return this.#event();
    this.#add(end);
    const line = this.#begun.splice(0).join('');
    if (line.startsWith('data:')) this.#data.push(line.slice(line[5] === ' ' ? 6 : 5));
    return [];
  }

  #event(): string[] {
    const isWhole = this.#data.length > 0 && this.#chars <= this.#charsMax;
    const data = this.#data.splice(0).join('\n');
    this.#chars = 0;
    return isWhole ? [data] : [];
  }

  /** Adds to the line. Of an event that is too long nothing is kept but that it is there. */
  #add(piece: string): void {
    if (piece === '') return;
    this.#chars += piece.length;
    this.#begun.push(piece);
    if (this.#chars <= this.#charsMax) return;
    this.#begun = [' '];
    this.#data = [];
  }
}
