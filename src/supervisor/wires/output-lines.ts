import { closeSync, type FSWatcher, fstatSync, readSync, watch } from 'node:fs';
import { errnoOf } from '../../base/errors.ts';
import { openIfThere } from '../../terminal/small-file.ts';

/** A whole line of an output, and the position that follows it. */
export interface OutputLine {
  readonly text: string;
  readonly atBytes: number;
}

/** So much is read at a time; a line that is longer is read whole all the same. */
const READ_BYTES = 256 * 1024;
/** But for one that is longer than this: of it only the beginning is given. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const CUT_BYTES = 1024;
const LINE_FEED = 0x0a;

/** Reads the whole lines of a file that another process appends to, from a position on. */
export class OutputLines {
  readonly #path: string;
  readonly #onChange: () => void;
  #atBytes: number;
  #watcher: FSWatcher | null = null;
  #isClosed = false;
  /** The beginning of a line that is too long, until its end is found. */
  #cut: string | null = null;

  constructor(path: string, fromBytes: number, onChange: () => void) {
    this.#path = path;
    this.#atBytes = fromBytes;
    this.#onChange = onChange;
  }

  /** The next lines. When there are more, it is said that there is a change. */
  next(): readonly OutputLine[] {
    this.#watch();
    const file = openIfThere(this.#path);
    if (file === null) return [];
    try {
      const { size } = fstatSync(file);
      const lines = this.#read(file, size);
      // The rest is taken later, so that others have their turn.
      if (lines.length > 0 && this.#atBytes < size) setImmediate(() => this.#isClosed || this.#onChange());
      return lines;
    } finally {
      closeSync(file);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#watcher?.close();
    this.#watcher = null;
  }

  /** The file may not have been there before. Should the watch fail, whoever looks now and then finds the lines. */
  #watch(): void {
    if (this.#watcher !== null) return;
    try {
      const watcher = watch(this.#path, { persistent: false }, this.#onChange);
      watcher.on('error', () => watcher.close());
      this.#watcher = watcher;
    } catch (error) {
      if (errnoOf(error) === '') throw error;
    }
  }

  #read(file: number, size: number): readonly OutputLine[] {
    for (let bytesMax = READ_BYTES; this.#atBytes < size; bytesMax *= 2) {
      const bytes = Buffer.alloc(Math.min(size - this.#atBytes, bytesMax));
      const read = readSync(file, bytes, 0, bytes.length, this.#atBytes);
      const lines = this.#linesOf(bytes.subarray(0, read));
      if (lines.length > 0) return lines;
      if (bytesMax >= LINE_BYTES_MAX) this.#skip(bytes.subarray(0, read));
      else if (read < bytesMax) return [];
    }
    return [];
  }

  #linesOf(bytes: Buffer): OutputLine[] {
    const lines: OutputLine[] = [];
    let from = 0;
    for (let feed = bytes.indexOf(LINE_FEED); feed >= 0; feed = bytes.indexOf(LINE_FEED, from)) {
      const text = this.#cut ?? bytes.toString('utf8', from, feed);
      this.#cut = null;
      from = feed + 1;
      lines.push({ text, atBytes: this.#atBytes + from });
    }
    this.#atBytes += from;
    return lines;
  }

  #skip(bytes: Buffer): void {
    this.#cut ??= bytes.toString('utf8', 0, CUT_BYTES);
    this.#atBytes += bytes.length;
  }
}
