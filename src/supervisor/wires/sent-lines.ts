import { appendFileSync, closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import type { Outgoing } from '../../agent/seam/server.ts';
import { letOthers } from '../../base/others.ts';
import { causeText } from '../../base/system-errors.ts';
import { LinePieces, type PlacedLine } from '../../terminal/line-pieces.ts';
import { NotSent } from './wire.ts';

/**
 * The messages to an agent in the file that its standard input is copied from. A message has been sent when its line
 * feed is in the file. A daemon that dies in between leaves half a line: the same message completes it, and any other
 * one ends it first, so that the agent sees at most one line that is no JSON.
 *
 * Which id a line has is said in a file beside it, written before the line: `[where the line begins, id]`.
 */
export class SentLines {
  readonly #path: string;
  readonly #ids: string;

  constructor(path: string) {
    this.#path = path;
    this.#ids = `${path}.ids`;
  }

  /** How much was written by now. */
  get bytes(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Every message that was sent up to this position, oldest first. */
  async all(toBytes: number): Promise<readonly Outgoing[]> {
    const ids = await this.#idsByStart();
    const sent: Outgoing[] = [];
    for await (const { text, fromBytes, atBytes } of linesOf(this.#path)) {
      if (atBytes > toBytes) break;
      sent.push(...messageIn(text, ids.get(fromBytes)));
    }
    return sent;
  }

  /** Returns when the whole message is in the file. */
  append(id: string, data: unknown): void {
    const line = Buffer.from(`${oneLine(JSON.stringify(data))}\n`);
    const file = openSync(this.#path, 'a+');
    try {
      const { end, rest, begins } = continued(halfOf(file), line);
      this.#noteId(fstatSync(file).size + begins, id);
      put(file, end);
      put(file, rest);
    } finally {
      closeSync(file);
    }
  }

  #noteId(from: number, id: string): void {
    try {
      // A line feed first: the line before may be half written.
      appendFileSync(this.#ids, `\n${JSON.stringify([from, id])}\n`, { mode: 0o600 });
    } catch (cause) {
      throw new NotSent(`cannot write ${this.#ids}: ${causeText(cause)}`, { cause });
    }
  }

  async #idsByStart(): Promise<ReadonlyMap<number, string>> {
    const ids = new Map<number, string>();
    for await (const { text } of linesOf(this.#ids)) {
      const row = dataOf(text);
      if (Array.isArray(row) && typeof row[0] === 'number' && typeof row[1] === 'string') ids.set(row[0], row[1]);
    }
    return ids;
  }
}

/** Node's own reader of lines ends one at these separators too. */
function oneLine(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The whole lines of a file, however long, read in pieces with a turn of the event loop for others after each. */
async function* linesOf(path: string): AsyncIterable<PlacedLine> {
  const pieces = new LinePieces(path, { lineBytesMax: Number.POSITIVE_INFINITY });
  for (let isMore = true; isMore; ) {
    const piece = pieces.next();
    yield* piece.lines;
    isMore = piece.isMore;
    if (isMore) await letOthers();
  }
}

/** How a line is written after half a line. */
interface Continued {
  /** Ends the half when it is of another message. */
  readonly end: Buffer;
  readonly rest: Buffer;
  /** Where the line begins, counted from the end of the half. */
  readonly begins: number;
}

/** How a line is written after half a line of the same message, of another one, or of none. */
export function continued(half: Buffer, line: Buffer): Continued {
  const isBegun = half.length < line.length && line.subarray(0, half.length).equals(half);
  if (isBegun) return { end: Buffer.alloc(0), rest: line.subarray(half.length), begins: -half.length };
  return { end: Buffer.from('\n'), rest: line, begins: 1 };
}

/** The messages in a file of lines, oldest first. `ids`: by where each line begins. */
export function sentIn(bytes: Buffer, ids: ReadonlyMap<number, string>): readonly Outgoing[] {
  const sent: Outgoing[] = [];
  for (let from = 0, feed = bytes.indexOf('\n'); feed >= 0; from = feed + 1, feed = bytes.indexOf('\n', from)) {
    sent.push(...messageIn(bytes.toString('utf8', from, feed), ids.get(from)));
  }
  return sent;
}

/** Half a line that was ended has an id too, and is no message. */
function messageIn(text: string, id: string | undefined): Outgoing[] {
  const data = id === undefined ? undefined : dataOf(text);
  return id === undefined || data === undefined ? [] : [{ is: 'message', id, data }];
}

/** An unfinished line. */
function halfOf(file: number): Buffer {
  const { size } = fstatSync(file);
  for (let bytes = Math.min(size, 64 * 1024); ; bytes = Math.min(size, bytes * 4)) {
    const end = Buffer.alloc(bytes);
    readSync(file, end, 0, bytes, size - bytes);
    const feed = end.lastIndexOf('\n');
    if (feed >= 0 || bytes === size) return end.subarray(feed + 1);
  }
}

/** An error at the first byte says so; after that it is not known what arrives. */
function put(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at);
    } catch (cause) {
      if (at > 0) throw cause;
      throw new NotSent(`cannot write a message: ${causeText(cause)}`, { cause });
    }
  }
}

function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
