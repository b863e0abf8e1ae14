import { Worker } from 'node:worker_threads';
import type { Store, StoreRow } from '../../agent/seam/conversations.ts';
import type { Clock } from '../../base/clock.ts';

/** The result of reading a database. One that is busy or too slow is not empty but unknown. */
export type StoreRead =
  | { readonly is: 'rows'; readonly rows: readonly StoreRow[] }
  | { readonly is: 'unknown' | 'unreadable'; readonly why: string };

/** Which conversations: all since a time, or one. */
export type Which = { readonly sinceMs: number } | { readonly id: string };

/** How long a read may take. */
const READ_MS_MAX = 20_000;
/** How long a writer may keep the database locked. */
const BUSY_MS_MAX = 1_000;
const ROWS_MAX = 2_000;

interface Order {
  readonly store: Store;
  readonly which: Which;
  readonly busyMsMax: number;
  readonly rowsMax: number;
}

/** Reads conversations from another program's database: in a thread, read-only, with a timeout. */
export async function readStore(store: Store, which: Which, clock: Clock): Promise<StoreRead> {
  const workerData: Order = { store, which, busyMsMax: BUSY_MS_MAX, rowsMax: ROWS_MAX };
  const thread = new Worker(`(${read})()`, { eval: true, workerData });
  const late = new AbortController();
  const found = new Promise<StoreRead>((done) => {
    thread.once('message', done);
    thread.once('error', (error) => done({ is: 'unknown', why: `its store cannot be read: ${error.message}` }));
    thread.once('exit', () => done({ is: 'unknown', why: 'its store cannot be read' }));
  });
  const overdue = clock
    .sleep(READ_MS_MAX, late.signal)
    .then((): StoreRead => ({ is: 'unknown', why: `its store did not answer within ${READ_MS_MAX / 1_000} s` }));
  try {
    return await Promise.race([found, overdue]);
  } finally {
    late.abort();
    void thread.terminate();
  }
}

/** Runs in a thread that gets only this function's text: it must not use anything from outside. */
function read(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  const { store, which, busyMsMax, rowsMax } = workerData as Order;
  const lineOf = (text: unknown, zstd: unknown): string => {
    try {
      return zstd instanceof Uint8Array ? zstdDecompressSync(zstd).toString('utf8') : String(text);
    } catch {
      return '!';
    }
  };
  const rowOf = (db: InstanceType<typeof DatabaseSync>, row: Record<string, unknown>): StoreRow => {
    const [key, id] = [String(row.key), String(row.id)];
    const status = row.status === null ? null : String(row.status);
    if (row.end !== 1) return { key, id, status, atMs: Number(row.at_ms), bytes: 0, end: null };
    const last = db.prepare(store.end).all({ id });
    const end = last.toReversed().map(({ text, zstd }) => `${lineOf(text, zstd)}\n`);
    const bytes = Number(db.prepare(store.size).get({ id })?.bytes ?? 0);
    return { key, id, status, atMs: Number(last[0]?.at_ms ?? row.at_ms), bytes, end: end.join('') };
  };
  try {
    const db = new DatabaseSync(store.path, { readOnly: true, timeout: busyMsMax });
    const found =
      'id' in which
        ? db.prepare(store.one).all({ id: which.id })
        : db.prepare(store.newest).all({ sinceMs: which.sinceMs, rowsMax });
    parentPort?.postMessage({ is: 'rows', rows: found.map((row) => rowOf(db, row)) });
    db.close();
  } catch (error) {
    // Damaged files, and files that are not databases; any other error may be temporary.
    const { errcode, message } = error as { errcode?: number; message: string };
    const is = [11, 26].includes((errcode ?? 0) & 255) ? 'unreadable' : 'unknown';
    parentPort?.postMessage({ is, why: `its store cannot be read: ${message}` });
  }
}
