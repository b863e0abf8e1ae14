import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type LineReader, readWhole } from '../../agent/seam/lines.ts';
import type { TurnRead } from '../../agent/seam/record.ts';
import { timesIn } from './times.ts';

/** How far a file was read: up to the last turn, which may go on, and is read again. */
export interface FilePlace {
  /** Which file, and its size and time then. An unchanged one is not opened. */
  readonly key: string;
  readonly file: string;
  /** Where the last turn begins, and how many turns are before it. */
  readonly from: number;
  readonly turns: number;
  /** That is within a turn which is too long to be read as one. */
  readonly isWithin: boolean;
  /** The end of the last whole line, and a digest of what is before it: a rewritten file has something else there. */
  readonly end: number;
  readonly guard: string;
}

/** Turns that follow each other in a file. */
export interface Segment {
  /** Where they begin. */
  readonly from: number;
  /** The number of the first one, from 1. */
  readonly turn: number;
  readonly turns: readonly TurnRead[];
  readonly firstMs: number | null;
  readonly lastMs: number | null;
}

type Turns = LineReader<unknown, readonly TurnRead[]>;

const PIECE_BYTES = 256 * 1024;
/** A longer turn is read in several parts. */
const SEGMENT_BYTES_MAX = 1024 * 1024;
/** A longer line is left out. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const GUARD_BYTES = 256;
const LINE_FEED = 0x0a;

/** Identity, size and time of a file. */
export function keyOf({ dev, ino, size, mtimeMs }: Stats): string {
  return `${dev} ${ino} ${size} ${mtimeMs}`;
}

/** Reads the turns of a file that only grows, from where it was left. `rest`: called between two pieces. */
export async function* readSegments(
  path: string,
  reader: Turns,
  before: FilePlace | null,
  rest: () => Promise<void>,
): AsyncGenerator<Segment, FilePlace> {
  const file = openSync(path, 'r');
  try {
    const stat = fstatSync(file);
    const start = before !== null && isSame(file, stat, before) ? before : null;
    const cutter = new Cutter(reader, start);
    let at = cutter.end;
    let begun: Buffer[] = [];
    let begunBytes = 0;
    let isLong = false;
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    while (at < stat.size) {
      const count = readSync(file, piece, 0, Math.min(PIECE_BYTES, stat.size - at), at);
      if (count === 0) break;
      const bytes = piece.subarray(0, count);
      at += count;
      let from = 0;
      for (let feed = bytes.indexOf(LINE_FEED); feed >= 0; feed = bytes.indexOf(LINE_FEED, from)) {
        const line = Buffer.concat([...begun, bytes.subarray(from, feed)]);
        yield* cutter.add(isLong ? '' : line.toString('utf8'), begunBytes + feed + 1 - from);
        begun = [];
        begunBytes = 0;
        isLong = false;
        from = feed + 1;
      }
      begunBytes += count - from;
      if (begunBytes > LINE_BYTES_MAX) isLong = true;
      begun = isLong ? [] : [...begun, Buffer.from(bytes.subarray(from))];
      await rest();
    }
    const last = cutter.last();
    if (last !== null) yield last;
    return { ...cutter.place(), key: keyOf(stat), file: fileOf(stat), guard: guardAt(file, cutter.end) };
  } finally {
    closeSync(file);
  }
}

/** Where reading goes on in this file; 0 if it has to be read from the beginning. */
export function startIn(path: string, before: FilePlace | null): number {
  if (before === null) return 0;
  const file = openSync(path, 'r');
  try {
    return isSame(file, fstatSync(file), before) ? before.from : 0;
  } finally {
    closeSync(file);
  }
}

function isSame(file: number, stat: Stats, before: FilePlace): boolean {
  return before.file === fileOf(stat) && before.end <= stat.size && guardAt(file, before.end) === before.guard;
}

function fileOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}

function guardAt(file: number, end: number): string {
  const bytes = Buffer.alloc(Math.min(GUARD_BYTES, end));
  const count = readSync(file, bytes, 0, bytes.length, end - bytes.length);
  return createHash('sha256').update(bytes.subarray(0, count)).digest('base64url');
}

/** Cuts the lines of a file where a turn begins. */
class Cutter {
  readonly #reader: Turns;
  /** The end of the last line. */
  end: number;
  #from: number;
  /** How many turns are before this segment. */
  #turns: number;
  #isWithin: boolean;
  #lines: string[] = [];
  #bytes = 0;

  constructor(reader: Turns, start: FilePlace | null) {
    this.#reader = reader;
    const { from = 0, turns = 0, isWithin = false } = start ?? {};
    this.end = from;
    this.#from = from;
    this.#turns = turns;
    this.#isWithin = isWithin;
  }

  *add(line: string, bytes: number): Generator<Segment> {
    if (this.#lines.length > 0 && this.#begins(line)) {
      const before = this.#segment();
      if (before.turns.length > 0) {
        yield before;
        this.#next(before, false);
      }
    }
    this.#lines.push(line);
    this.#bytes += bytes;
    this.end += bytes;
    if (this.#bytes <= SEGMENT_BYTES_MAX) return;
    const segment = this.#segment();
    if (segment.turns.length > 0) yield segment;
    this.#next(segment, segment.turns.length > 0 || this.#isWithin);
  }

  /** The turns at the end, which may go on. */
  last(): Segment | null {
    const segment = this.#segment();
    return segment.turns.length === 0 ? null : segment;
  }

  place(): Pick<FilePlace, 'from' | 'turns' | 'isWithin' | 'end'> {
    return { from: this.#from, turns: this.#turns, isWithin: this.#isWithin, end: this.end };
  }

  /** Does a turn begin with this line? Most lines show by themselves that none does. */
  #begins(line: string): boolean {
    const alone = readWhole(this.#reader, `${line}\n`);
    if (!alone.some(({ prompt }) => prompt !== '')) return false;
    const all = this.#lines.map((each) => `${each}\n`).join('');
    const [before, after] = [readWhole(this.#reader, all), readWhole(this.#reader, `${all}${line}\n`)];
    return after.length > before.length;
  }

  #segment(): Segment {
    const turns = readWhole(this.#reader, this.#lines.map((each) => `${each}\n`).join(''));
    // What follows in a long turn has no prompt of its own.
    const goesOn = this.#isWithin && turns[0]?.prompt === '';
    return { from: this.#from, turn: this.#turns + (goesOn ? 0 : 1), turns, ...timesIn(this.#lines) };
  }

  #next({ turn, turns }: Segment, isWithin: boolean): void {
    this.#turns = turns.length === 0 ? this.#turns : turn + turns.length - 1;
    this.#from = this.end;
    this.#isWithin = isWithin;
    this.#lines = [];
    this.#bytes = 0;
  }
}
