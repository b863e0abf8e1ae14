import { Worker } from 'node:worker_threads';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';

/** A row of the answer to a query. */
export type Row = Readonly<Record<string, unknown>>;

type Value = string | number | null;

interface Asked {
  readonly id: number;
  readonly sql: string;
  readonly values: Readonly<Record<string, Value>>;
}

type Told =
  | { readonly id: number; readonly rows: readonly Row[] }
  | { readonly id: number; readonly why: string; readonly errcode: number };

/** The index cannot be read: it is damaged. */
export class Unusable extends Error {}

const DEADLINE_MS = 10_000;
/** A thread without a query for this long ends. */
const IDLE_MS_MAX = 60_000;
/** What SQLite says of a file that is damaged, or no database. */
const UNUSABLE = [11, 26];
/** The indexer has just begun with it. */
const EMPTY = /no such table|unable to open database file/;

/** Asks the index in a thread of its own, so that a slow query holds up nobody. */
export class QueryThread {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #open = new Map<number, PromiseWithResolvers<readonly Row[]>>();
  #thread: Worker | null = null;
  #idle = new AbortController();
  #last = 0;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The rows of a query. */
  async ask(sql: string, values: Asked['values']): Promise<readonly Row[]> {
    this.#idle.abort();
    this.#last += 1;
    const id = this.#last;
    const answer = Promise.withResolvers<readonly Row[]>();
    this.#open.set(id, answer);
    this.#started().postMessage({ id, sql, values } satisfies Asked);
    const late = new AbortController();
    const overdue = this.#clock.sleep(DEADLINE_MS, late.signal).then(() => {
      if (!late.signal.aborted) this.stop('it took too long; search for rarer words, or limit the search');
      return answer.promise;
    });
    try {
      return await Promise.race([answer.promise, overdue]);
    } finally {
      late.abort();
      overdue.catch(() => {});
      this.#open.delete(id);
      this.#endSoon();
    }
  }

  /** Ends the thread. Open queries fail with this reason. */
  stop(why = 'the daemon stops'): void {
    this.#idle.abort();
    void this.#thread?.terminate();
    this.#thread = null;
    for (const { reject } of this.#open.values())
      reject(new OutlastError('internal', `the search did not finish: ${why}`));
  }

  #started(): Worker {
    if (this.#thread !== null) return this.#thread;
    const thread = new Worker(`(${serve})()`, { eval: true, workerData: this.#path });
    thread.unref();
    thread.on('message', (told: Told) => {
      const answer = this.#open.get(told.id);
      if ('rows' in told) answer?.resolve(told.rows);
      else if (EMPTY.test(told.why)) answer?.resolve([]);
      else if (UNUSABLE.includes(told.errcode & 255)) answer?.reject(new Unusable(told.why));
      else answer?.reject(new OutlastError('internal', `the index cannot be searched: ${told.why}`));
    });
    thread.once('error', (error) => this.#thread === thread && this.stop(error.message));
    this.#thread = thread;
    return thread;
  }

  #endSoon(): void {
    if (this.#open.size > 0) return;
    const idle = new AbortController();
    this.#idle = idle;
    void this.#clock.sleep(IDLE_MS_MAX, idle.signal).then(() => {
      if (!idle.signal.aborted && this.#open.size === 0) this.stop();
    });
  }
}

/** Runs in a thread that has only this text: it may use nothing from its surroundings. */
function serve(): void {
  const { parentPort, workerData: path } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { statSync } = process.getBuiltinModule('node:fs');
  let db: InstanceType<typeof DatabaseSync> | null = null;
  let file = '';
  const opened = (): InstanceType<typeof DatabaseSync> => {
    const stat = statSync(path, { throwIfNoEntry: false });
    const now = `${stat?.dev} ${stat?.ino}`;
    // The index was deleted and built again.
    if (db !== null && now !== file) {
      db.close();
      db = null;
    }
    file = now;
    db ??= new DatabaseSync(path, { readOnly: true, timeout: 2_000 });
    return db;
  };
  parentPort?.on('message', ({ id, sql, values }: Asked) => {
    try {
      parentPort.postMessage({ id, rows: opened().prepare(sql).all(values) });
    } catch (error) {
      db?.close();
      db = null;
      const { errcode = 0, message } = error as { errcode?: number; message: string };
      parentPort.postMessage({ id, why: message, errcode });
    }
  });
}
