import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isFull } from './index-file.ts';
import type { IndexWriter, NewPiece, Source } from './index-writer.ts';

/** What was read of one source. */
export interface Change {
  readonly source: Source;
  /** What was known and is replaced: the turns that begin from one place to another. */
  readonly cuts: readonly (readonly [from: number, to: number])[];
  readonly pieces: readonly Omit<NewPiece, 'source' | 'agent'>[];
  /** How far it was read, as JSON; null: it goes on in the next change. */
  readonly place: string | null;
}

/** There is no room for more: the reason, for people. */
export class NoRoom extends Error {}

/** The index has outgrown its bound: it is built again, with the texts since this time. */
export class Outgrown extends Error {
  readonly horizonMs: number;

  constructor(horizonMs: number) {
    super('the search index has outgrown its bound');
    this.horizonMs = horizonMs;
  }
}

/** So much is written at once, and never more than this share of the bound. */
const CHARS_MAX = 4 * 1024 * 1024;
const CHARS_SHARE = 1 / 16;
const CHANGES_MAX = 500;
/** The bound is reached a little earlier: SQLite needs room to put its pages in order. */
const FILLED_MAX = 0.9;
/** What is kept of an index that has outgrown its bound: the newest texts. */
const KEPT_SHARE = 0.7;
/** Below this the index does not take more of the disk. */
const FREE_BYTES_MIN = 64 * 1024 * 1024;

/** Collects what was read, and writes it to the index in few transactions, within the bound. */
export class Batch {
  readonly #writer: IndexWriter;
  readonly #path: string;
  readonly #bytesMax: number;
  #changes: Change[] = [];
  #chars = 0;
  /** Older texts were left out for lack of room. */
  readonly #horizonMs: number;

  constructor(writer: IndexWriter, path: string, bytesMax: number) {
    this.#writer = writer;
    this.#path = path;
    this.#bytesMax = bytesMax;
    this.#horizonMs = Number(writer.meta(HORIZON) ?? 0);
  }

  add(change: Change): void {
    this.#changes.push(change);
    this.#chars += change.pieces.reduce((sum, { text }) => sum + text.length, 0);
    if (this.#chars >= Math.min(CHARS_MAX, this.#bytesMax * CHARS_SHARE) || this.#changes.length >= CHANGES_MAX)
      this.flush();
  }

  flush(): void {
    const changes = this.#changes;
    this.#changes = [];
    this.#chars = 0;
    if (changes.length === 0) return;
    if (freeBytes(this.#path) < FREE_BYTES_MIN) throw new NoRoom('there is hardly any space left on the disk');
    try {
      this.#writer.together(() => this.#write(changes));
    } catch (error) {
      if (!isFull(error)) throw error;
      // SQLite has one word for a full disk and for a full index.
      if (this.#writer.usedBytes() > this.#bytesMax / 2) throw this.#outgrown();
      throw new NoRoom('no space left on the disk', { cause: error });
    }
    if (this.#writer.usedBytes() > this.#bytesMax * FILLED_MAX) throw this.#outgrown();
  }

  #write(changes: readonly Change[]): void {
    const pieces = changes.flatMap(({ source, cuts, pieces, place }): NewPiece[] => {
      const id = this.#writer.put(source, place);
      for (const [from, to] of cuts) this.#writer.cut(id, from, to);
      const { agent } = source;
      return pieces.flatMap((piece) => (piece.atMs <= this.#horizonMs ? [] : [{ ...piece, source: id, agent }]));
    });
    this.#writer.add(pieces);
  }

  #outgrown(): Outgrown {
    return new Outgrown(Math.max(this.#horizonMs + 1, this.#writer.timeAt(KEPT_SHARE)));
  }
}

/** The newest time of what was dropped for lack of room. */
export const HORIZON = 'horizon';

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize;
}
