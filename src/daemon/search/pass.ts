import { existsSync } from 'node:fs';
import type { Agent } from '../../agent/seam/agent.ts';
import { realFiles } from '../../supervisor/process-facts.ts';
import { Batch, HORIZON, NoRoom, Outgrown } from './batch.ts';
import type { SessionFacts } from './facts.ts';
import { deleteIndex, isDamaged, isFull, openIndex } from './index-file.ts';
import { IndexWriter, type StoredSource } from './index-writer.ts';
import { type Listing, listAll } from './listing.ts';
import { type Planned, planned } from './plan.ts';
import { isDue, readSource } from './read-source.ts';
import { noteRemoved, readRemoved } from './removed.ts';

/** What the indexer works on, the same for all of its passes. */
export interface IndexParts {
  readonly state: string;
  /** The file of the index. */
  readonly path: string;
  readonly bytesMax: number;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly env: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
}

/** What one pass is told. */
export interface PassOrder {
  /** Sessions that are new or have changed. */
  readonly sessions: readonly SessionFacts[];
  /** These are all sessions; others are not known any more. */
  readonly isAll: boolean;
  /** The place in the journal up to which they are known. */
  readonly upTo: string;
}

/** What the index has after a pass. */
export interface PassResult {
  readonly conversations: number;
  readonly texts: number;
  readonly atMs: number;
  /** Older texts were left out for lack of room; null: none were. */
  readonly horizonMs: number | null;
  /** Why it is not complete; null: it is. */
  readonly why: string | null;
}

/** How a pass proceeds, and when it lets others work. */
export interface Pace {
  rest(): Promise<void>;
  progress(done: number, total: number): void;
  nowMs(): number;
}

/** The place in the journal up to which sessions are known, and the result of the last pass. */
const UP_TO = 'upTo';
export const RESULT = 'result';

/** Keeps one index up to date: each pass reads what was written since the last one. */
export class Indexer {
  readonly #parts: IndexParts;
  #writer: IndexWriter | null = null;

  constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  /** The place in the journal up to which its sessions are known; null: none are. */
  upTo(): string | null {
    return this.#guarded(() => this.#open().meta(UP_TO));
  }

  /** Reads what is new. A damaged index is deleted, and the caller asked for all sessions again: it returns null. */
  async pass(order: PassOrder, pace: Pace): Promise<PassResult | null> {
    try {
      return await this.#pass(this.#open(), order, pace);
    } catch (error) {
      if (error instanceof Outgrown) return this.pass(this.#renew(error, order), pace);
      if (error instanceof NoRoom) return this.#result(this.#open(), pace, error.message);
      if (!isDamaged(error)) throw error;
      this.#forget();
      return null;
    }
  }

  close(): void {
    this.#writer?.db.close();
    this.#writer = null;
  }

  async #pass(writer: IndexWriter, order: PassOrder, pace: Pace): Promise<PassResult> {
    const { path, bytesMax, state, agents, env, folders } = this.#parts;
    noteRemoved(path, order.sessions);
    learn(writer, order);
    const known = writer.sources();
    const where = { agents: Object.values(agents), files: realFiles, env, folders };
    const listing = await listAll(where, pace.rest);
    const sessions = factsIn(writer);
    const plans = planned({ state, env, agents, listing, sessions, removed: readRemoved(path), known });
    const batch = new Batch(writer, path, bytesMax);
    this.#drop(writer, known, plans, listing);
    const due = plans.filter((plan) => isDue(plan, known.get(plan.source.key), pace.nowMs()));
    const failed: string[] = [];
    for (const [i, plan] of due.entries()) {
      pace.progress(i, due.length);
      try {
        await readSource(plan, known.get(plan.source.key)?.place ?? null, batch, pace.rest);
      } catch (error) {
        // It is gone meanwhile, or may not be read now: the next pass tries again.
        if (error instanceof NoRoom || error instanceof Outgrown || isDamaged(error) || isFull(error)) throw error;
        failed.push(plan.source.path);
      }
      await pace.rest();
    }
    batch.flush();
    const unread = [...new Set([...failed, ...listing.unread])];
    const why = unread.length === 0 ? null : `${unread[0]} cannot be read now`;
    return this.#result(writer, pace, why);
  }

  /** Removes what is no longer there. What cannot be looked at now stays. */
  #drop(
    writer: IndexWriter,
    known: ReadonlyMap<string, StoredSource>,
    plans: readonly Planned[],
    { unread, stored }: Listing,
  ): void {
    const there = new Set(plans.map(({ source }) => source.key));
    const listed = new Set(stored.map(({ agent, listed: { id } }) => `${agent.name} ${id}`));
    const gone = [...known.values()].filter(({ key, path, place }) => {
      if (there.has(key) || unread.includes(path)) return false;
      // It is there, but left out: its session was removed.
      if (listed.has(key)) return true;
      const isFile = place?.includes('"guard"') === true && !key.startsWith('session ');
      return !isFile || !existsSync(path);
    });
    if (gone.length > 0) writer.together(() => gone.forEach(({ id }) => writer.remove(id)));
  }

  #result(writer: IndexWriter, pace: Pace, why: string | null): PassResult {
    const horizonMs = Number(writer.meta(HORIZON) ?? 0);
    const count = (table: string): number => Number(writer.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
    const result: PassResult = {
      ...{ conversations: count('source'), texts: count('piece'), atMs: pace.nowMs() },
      ...{ horizonMs: horizonMs === 0 ? null : horizonMs, why },
    };
    try {
      writer.setMeta(RESULT, JSON.stringify(result));
    } catch {
      // On a full disk the caller still gets it.
    }
    return result;
  }

  #open(): IndexWriter {
    const { path, bytesMax } = this.#parts;
    // Somebody may have deleted it while it was open.
    if (this.#writer !== null && !existsSync(path)) this.close();
    this.#writer ??= new IndexWriter(openIndex(path, bytesMax));
    return this.#writer;
  }

  /** A new index for the newest texts. SQLite would need more room than there is to forget the others. */
  #renew({ horizonMs }: Outgrown, { upTo }: PassOrder): PassOrder {
    const sessions = factsIn(this.#open());
    this.#forget();
    this.#open().setMeta(HORIZON, String(horizonMs));
    return { sessions, isAll: true, upTo };
  }

  #guarded<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isDamaged(error)) throw error;
      this.#forget();
      return read();
    }
  }

  #forget(): void {
    this.close();
    deleteIndex(this.#parts.path);
  }
}

/** Stores what is new about sessions. */
function learn(writer: IndexWriter, { sessions, isAll, upTo }: PassOrder): void {
  writer.together(() => {
    if (isAll) writer.db.exec('DELETE FROM session');
    const put = writer.db.prepare('INSERT OR REPLACE INTO session (id, facts) VALUES (?, ?)');
    const drop = writer.db.prepare('DELETE FROM session WHERE id = ?');
    for (const facts of sessions)
      if (facts.removedMs === undefined) put.run(facts.id, JSON.stringify(facts));
      else drop.run(facts.id);
    writer.setMeta(UP_TO, upTo);
  });
}

function factsIn(writer: IndexWriter): SessionFacts[] {
  const rows = writer.db.prepare('SELECT facts FROM session').all();
  return rows.map(({ facts }) => JSON.parse(String(facts)) as SessionFacts);
}
