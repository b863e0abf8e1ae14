import { closeSync, fstatSync, readSync, type Stats } from 'node:fs';
import { letOthers } from '../base/others.ts';
import { openIfThere } from '../terminal/small-file.ts';

/** So much is read before others have their turn. */
export const PIECE_BYTES = 256 * 1024;
/** A line that is longer cannot be read. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
/** So much of what was read last is compared: a file that was written anew has something else there. */
const GUARD_BYTES = 256;
const LINE_FEED = 0x0a;
/** No agent writes such a line, and none can read it. */
const UNREADABLE = '\0\n';

/** Whoever is given the lines of a file. */
export interface LineTaker {
  /** Some more whole lines. */
  take(lines: string): void;
  /** What comes next is from the beginning: the file is new, or was written anew. */
  restart(): void;
}

/**
 * Reads the lines of a file on from where it was, in pieces, with a turn of the event loop for others after each. A
 * file that shrank, or in which something else stands where we were, is read from the beginning; so is another file
 * under the same name. Of a file that is long at first sight only the end is read. A line counts when its line feed
 * is there.
 */
export class LineTail {
  readonly path: string;
  readonly #taker: LineTaker;
  /** Which file it is, how long, and when it was written to: what has not changed is not read. */
  #key = '';
  #file = '';
  /** Where reading began. */
  #from = 0;
  #offset = 0;
  #guard = Buffer.alloc(0);
  /** The beginning of a line whose end is not there yet. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  /** The line that it stands in is not wanted: its beginning was not read, or it is too long. */
  #isSkipping: 'no' | 'cut' | 'long' = 'no';
  #reading: Promise<void> | null = null;

  constructor(path: string, taker: LineTaker) {
    this.path = path;
    this.#taker = taker;
  }

  /** There is more of the file, before what was read. */
  get isCut(): boolean {
    return this.#from > 0;
  }

  /** Reads again from the beginning, or what then is the end. */
  forget(): void {
    this.#key = '';
    this.#file = '';
  }

  /** Reads what was written since. `bytesMax`: so much of the end of a file that is new to us. */
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
      // Looked at before each piece: it may be written anew while others have their turn.
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

/** All readers share it: nobody else has a turn between a read and what is done with it. */
const PIECE = Buffer.alloc(PIECE_BYTES);

function fileOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}
