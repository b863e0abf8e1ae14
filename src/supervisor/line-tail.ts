import { closeSync, fstatSync, readSync, type Stats } from 'node:fs';
import { letOthers } from '../base/others.ts';
import { openIfThere } from '../terminal/small-file.ts';

/** How much is read before other work gets its turn. */
export const PIECE_BYTES = 256 * 1024;
/** A longer line is not readable. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** How much of the last read is compared: a rewritten file has something else there. */
const GUARD_BYTES = 256;
const LINE_FEED = 0x0a;
/** No agent writes such a line, and none can read it. */
const UNREADABLE_LINE = '\0';
const UNREADABLE = `${UNREADABLE_LINE}\n`;

/** Receives the lines of a file. */
export interface LineTaker {
  /** Some more whole lines. */
  take(lines: string): void;
  /** Reading restarts from the beginning: the file is new, or was rewritten. */
  restart(): void;
}

/**
 * Reads the lines of a file incrementally, in pieces, with a turn of the event loop after each. A file that shrank, or
 * that has different content at our position, is read from the beginning; so is another file under the same name. Of a
 * file that is long at first only the end is read. A line counts when its line feed is there.
 */
export class LineTail {
  readonly path: string;
  readonly #taker: LineTaker;
  /** Identity, size and modification time: an unchanged file is not read. */
  #key = '';
  #file = '';
  /** Where reading began. */
  #from = 0;
  #offset = 0;
  #guard = Buffer.alloc(0);
  /** The beginning of an incomplete line. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** The current line is skipped: its beginning was not read, or it is too long. */
  #isSkipping: 'no' | 'cut' | 'long' = 'no';
  #reading: Promise<void> | null = null;

  constructor(path: string, taker: LineTaker) {
    this.path = path;
    this.#taker = taker;
  }

  /** There is more of the file before the part that was read. */
  get isCut(): boolean {
    return this.#from > 0;
  }

  /** What stands behind the last line feed, as far as it is readable. */
  get rest(): string {
    if (this.#isSkipping !== 'no') return UNREADABLE_LINE;
    return Buffer.concat(this.#begun).toString('utf8');
  }

  /** Reads again from the beginning, or from what is then the end. */
  forget(): void {
    this.#key = '';
    this.#file = '';
  }

  /** Reads what was written since. `bytesMax`: how much of the end of a new file. */
  async readOn(bytesMax: number): Promise<void> {
    while (this.#reading !== null) await this.#reading;
    this.#reading = this.#readFile(bytesMax).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readFile(bytesMax: number): Promise<void> {
    const file = openIfThere(this.path);
    if (file === null) return this.#begin('', 0);
    try {
      const { dev, ino, size, mtimeMs } = fstatSync(file);
      const key = `${dev} ${ino} ${size} ${mtimeMs}`;
      if (key === this.#key) return;
      // Checked before each piece: the file may be rewritten in the meantime.
      for (let stat = fstatSync(file); ; stat = fstatSync(file)) {
        if (!this.#isSame(file, stat)) this.#begin(fileOf(stat), Math.max(0, stat.size - bytesMax));
        if (this.#offset >= Math.min(size, stat.size) || this.#readPiece(file, size) === 0) break;
        if (this.#offset < size) await letOthers();
      }
      this.#key = key;
    } finally {
      closeSync(file);
    }
  }

  #isSame(file: number, stat: Stats): boolean {
    if (this.#file !== fileOf(stat) || stat.size < this.#offset) return false;
    const there = PIECE.subarray(0, this.#guard.length);
    const read = readSync(file, there, 0, there.length, this.#offset - there.length);
    return read === there.length && there.equals(this.#guard);
  }

  #begin(file: string, from: number): void {
    this.#key = '';
    this.#file = file;
    this.#from = from;
    this.#offset = from;
    this.#guard = Buffer.alloc(0);
    this.#begun = [];
    this.#begunBytes = 0;
    this.#isSkipping = from === 0 ? 'no' : 'cut';
    this.#taker.restart();
  }

  #readPiece(file: number, size: number): number {
    const count = readSync(file, PIECE, 0, Math.min(PIECE_BYTES, size - this.#offset), this.#offset);
    const bytes = PIECE.subarray(0, count);
    this.#offset += count;
    this.#guard = Buffer.concat([this.#guard, bytes.subarray(-GUARD_BYTES)]).subarray(-GUARD_BYTES);
    this.#takeLines(bytes);
    return count;
  }

  #takeLines(bytes: Buffer): void {
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) return this.#keep(bytes);
    const first = bytes.indexOf(LINE_FEED) + 1;
    const lines: string[] = [];
    if (this.#isSkipping === 'no') lines.push(this.#whole(bytes.subarray(0, first)));
    else if (this.#isSkipping === 'long') lines.push(UNREADABLE);
    this.#isSkipping = 'no';
    if (first < end) lines.push(bytes.toString('utf8', first, end));
    if (lines.length > 0) this.#taker.take(lines.join(''));
    this.#keep(bytes.subarray(end));
  }

  /** The line that ends with these bytes. */
  #whole(bytes: Buffer): string {
    const whole = this.#begun.length === 0 ? bytes : Buffer.concat([...this.#begun, bytes]);
    this.#begun = [];
    this.#begunBytes = 0;
    return whole.toString('utf8');
  }

  #keep(bytes: Buffer): void {
    if (this.#isSkipping !== 'no' || bytes.length === 0) return;
    this.#begun.push(Buffer.from(bytes));
    this.#begunBytes += bytes.length;
    if (this.#begunBytes <= LINE_BYTES_MAX) return;
    this.#begun = [];
    this.#begunBytes = 0;
    this.#isSkipping = 'long';
  }
}

/** Shared by all readers: there is no turn of the event loop between a read and its use. */
const PIECE = Buffer.alloc(PIECE_BYTES);

function fileOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}
