import { type Stats, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { LineReader } from '../agent/seam/lines.ts';
import type { DatabaseSource } from '../agent/seam/record.ts';
import { type Clock, realClock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';

/** Deadline for a query. */
const READ_MS_MAX = 20_000;
/** How long the writer may keep it locked. */
const BUSY_MS_MAX = 1_000;
/** A file that was not modified for this long shows every change. */
const SETTLED_MS = 1_000;

interface Order {
  readonly source: DatabaseSource;
  readonly since: number;
  readonly busyMsMax: number;
}

type Answer =
  | { readonly is: 'rows'; readonly lines: readonly string[]; readonly at: number }
  | { readonly is: 'unknown'; readonly why: string };

/**
 * Reads the rows of a conversation incrementally from another program's database: in a thread of its own, read-only,
 * with a deadline. A database that cannot be read is not empty: its content is unknown, and this throws.
 */
export class DatabaseTail<S, V> {
  /** The conversation in its database: one database has many. */
  readonly path: string;
  /** The whole conversation was read. */
  readonly isCut = false;
  readonly #source: DatabaseSource;
  readonly #reader: LineReader<S, V>;
  readonly #clock: Clock;
  readonly #busyMsMax: number;
  #known: S;
  /** Rows before this were read. More rows with this same value may follow. */
  #since = 0;
  /** Identity of the file: another one under the same name is read from the beginning. */
  #file = '';
  /** State of the files when they were last read. */
  #key = '';
  #reading: Promise<void> | null = null;

  constructor(source: DatabaseSource, reader: LineReader<S, V>, options: { clock?: Clock; busyMsMax?: number } = {}) {
    this.path = `${source.path} ${source.id}`;
    this.#source = source;
    this.#reader = reader;
    this.#known = reader.empty;
    this.#clock = options.clock ?? realClock();
    this.#busyMsMax = options.busyMsMax ?? BUSY_MS_MAX;
  }

  /** The current state. */
  get view(): V {
    return this.#reader.view(this.#known);
  }

  /** Reads everything that changed since. */
  async readOn(_bytesMax: number): Promise<void> {
    while (this.#reading !== null) await this.#reading.catch(() => {});
    this.#reading = this.#readRows().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Changes the state, for example to drop what is no longer needed. */
  change(change: (known: S) => S): void {
    this.#known = change(this.#known);
  }

  async #readRows(): Promise<void> {
    const key = keyOf(this.#source.path);
    if (key === this.#key) return;
    const file = key.split(' ', 1)[0] ?? '';
    const isSame = file === this.#file;
    const since = isSame ? this.#since : (this.#source.since ?? 0);
    const answer = await ask({ source: this.#source, since, busyMsMax: this.#busyMsMax }, this.#clock);
    if (answer.is === 'unknown')
      throw new OutlastError('record_unreadable', `${this.#source.path} cannot be read now: ${answer.why}`);
    const lines = answer.lines.map((line) => `${line}\n`).join('');
    this.#known = this.#reader.read(isSame ? this.#known : this.#reader.empty, lines);
    this.#since = Math.max(since, answer.at);
    this.#file = file;
    // Two changes within one timestamp leave the files alike: a recent change is read again.
    this.#key = this.#clock.wallMs() - writtenAtMs(this.#source.path) > SETTLED_MS ? key : '';
  }
}

function keyOf(path: string): string {
  return statsOf(path)
    .map((stat) => `${stat?.ino} ${stat?.size} ${stat?.mtimeMs}`)
    .join(' ');
}

function writtenAtMs(path: string): number {
  return Math.max(...statsOf(path).map((stat) => stat?.mtimeMs ?? 0));
}

/** Of a database and of its write-ahead log. */
function statsOf(path: string): readonly (Stats | undefined)[] {
  return [path, `${path}-wal`].map((each) => statSync(each, { throwIfNoEntry: false }));
}

async function ask(order: Order, clock: Clock): Promise<Answer> {
  const thread = new Worker(`(${read})()`, { eval: true, workerData: order });
  const late = new AbortController();
  const told = new Promise<Answer>((done) => {
    thread.once('message', done);
    thread.once('error', (error) => done({ is: 'unknown', why: error.message }));
    thread.once('exit', () => done({ is: 'unknown', why: 'its reader ended' }));
  });
  const overdue = clock
    .sleep(READ_MS_MAX, late.signal)
    .then((): Answer => ({ is: 'unknown', why: `no answer within ${READ_MS_MAX / 1_000} s` }));
  try {
    return await Promise.race([told, overdue]);
  } finally {
    late.abort();
    void thread.terminate();
  }
}

/** Runs in a thread that has only this text: it may use nothing from its surroundings. */
function read(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { source, since, busyMsMax } = workerData as Order;
  try {
    const db = new DatabaseSync(source.path, { readOnly: true, timeout: busyMsMax });
    const rows = db.prepare(source.query).all({ id: source.id, since });
    const lines = rows.map(({ line }) => String(line));
    // Before the answer: until then its writer is not the last to close it, and leaves its write-ahead log behind.
    db.close();
    parentPort?.postMessage({ is: 'rows', lines, at: Number(rows.at(-1)?.at ?? since) });
  } catch (error) {
    parentPort?.postMessage({ is: 'unknown', why: (error as Error).message });
  }
}
