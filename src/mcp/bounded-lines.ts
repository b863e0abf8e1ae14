import { Transform } from 'node:stream';

/** No valid message is longer: the largest thing a client sends is a prompt. */
const LINE_BYTES_MAX = 8 * 1024 * 1024;
const LINE_FEED = 10;
/** The id of a request is near the beginning of its line, or at the end. */
const HEAD = /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?(?:"method":\s*"[^"]*",\s*)?"id":\s*(\d+|"[^"\\]*")/;
const TAIL = /,\s*"id":\s*(\d+|"[^"\\]*")\s*\}\s*$/;
const END_BYTES = 300;

/** Passes whole lines on. A line that is too long is dropped, and `leftOut` gets the id of its request. */
export class BoundedLines extends Transform {
  readonly #bytesMax: number;
  readonly #leftOut: (id: string | number | null, bytes: number) => void;
  /** The pieces of a line that has no end yet. */
  #pieces: Buffer[] = [];
  #bytes = 0;
  #head = '';

  constructor(leftOut: (id: string | number | null, bytes: number) => void, bytesMax = LINE_BYTES_MAX) {
    super();
    this.#leftOut = leftOut;
    this.#bytesMax = bytesMax;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    for (let from = 0; from < chunk.length; ) {
      const feed = chunk.indexOf(LINE_FEED, from);
      const end = feed < 0 ? chunk.length : feed + 1;
      this.#add(chunk.subarray(from, end));
      if (feed >= 0) this.#end();
      from = end;
    }
    done();
  }

  override _flush(done: () => void): void {
    if (this.#bytes > 0) this.#end();
    done();
  }

  #add(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    if (this.#bytes <= this.#bytesMax) return;
    if (this.#head === '') this.#head = Buffer.concat(this.#pieces, END_BYTES).toString('utf8');
    this.#pieces = [Buffer.concat(this.#pieces.slice(-2)).subarray(-END_BYTES)];
  }

  #end(): void {
    const line = Buffer.concat(this.#pieces);
    if (this.#bytes <= this.#bytesMax) this.push(line);
    else this.#leftOut(idIn(this.#head, line.toString('utf8')), this.#bytes);
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = '';
  }
}

function idIn(head: string, tail: string): string | number | null {
  const [, id] = HEAD.exec(head) ?? TAIL.exec(tail) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
