import { closeSync, fstatSync, readSync } from 'node:fs';
import { openIfThere } from './small-file.ts';

/** A whole line, where it begins, and the position that follows it. */
export interface PlacedLine {
  readonly text: string;
  readonly fromBytes: number;
  readonly atBytes: number;
}

/** So much is read at a call. */
export const PIECE_BYTES = 256 * 1024;
/** Of a line that is longer than this only the beginning is given, unless all of it is wanted. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const CUT_BYTES = 1024;
const LINE_FEED = 0x0a;

/**
 * Reads the lines of a file that another process appends to, a piece at each call. Who calls decides what happens
 * between two pieces. The beginning of a line is kept until its end is there, so that no byte is read twice.
 */
export class LinePieces {
  readonly #path: string;
  readonly #lineBytesMax: number;
  /** Where the line begins that is not whole yet, and how far it was read. */
  #fromBytes: number;
  #readBytes: number;
  #begun: Buffer[] = [];
  /** The beginning of a line that is too long, until its end is found. */
  #cut: string | null = null;

  constructor(path: string, { fromBytes = 0, lineBytesMax = LINE_BYTES_MAX } = {}) {
    this.#path = path;
    this.#lineBytesMax = lineBytesMax;
    this.#fromBytes = fromBytes;
    this.#readBytes = fromBytes;
  }

  /** The lines that end in the next piece, and whether there are more pieces. A file that is not there has none. */
  next(): { readonly lines: readonly PlacedLine[]; readonly isMore: boolean } {
    const file = openIfThere(this.#path);
    if (file === null) return { lines: [], isMore: false };
    try {
      const { size } = fstatSync(file);
      if (this.#readBytes >= size) return { lines: [], isMore: false };
      const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - this.#readBytes));
      const count = readSync(file, piece, 0, piece.length, this.#readBytes);
      const lines = this.#linesOf(piece.subarray(0, count));
      return { lines, isMore: count > 0 && this.#readBytes < size };
    } finally {
      closeSync(file);
    }
  }

  /** Is there more than one piece to be read? */
  get isFarBehind(): boolean {
    const file = openIfThere(this.#path);
    if (file === null) return false;
    try {
      return fstatSync(file).size - this.#readBytes > PIECE_BYTES;
    } finally {
      closeSync(file);
    }
  }

  #linesOf(bytes: Buffer): PlacedLine[] {
    const lines: PlacedLine[] = [];
    let from = 0;
    for (let feed = bytes.indexOf(LINE_FEED); feed >= 0; feed = bytes.indexOf(LINE_FEED, from)) {
      const atBytes = this.#readBytes + feed + 1;
      lines.push({ text: this.#whole(bytes.subarray(from, feed)), fromBytes: this.#fromBytes, atBytes });
      this.#fromBytes = atBytes;
      from = feed + 1;
    }
    this.#readBytes += bytes.length;
    this.#keep(bytes.subarray(from));
    return lines;
  }

  #whole(end: Buffer): string {
    const text = this.#cut ?? Buffer.concat([...this.#begun, end]).toString('utf8');
    this.#cut = null;
    this.#begun = [];
    return text;
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#cut !== null) return;
    this.#begun.push(bytes);
    if (this.#readBytes - this.#fromBytes <= this.#lineBytesMax) return;
    this.#cut = this.#begun[0]?.toString('utf8', 0, CUT_BYTES) ?? '';
    this.#begun = [];
  }
}
