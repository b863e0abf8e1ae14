import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Piece } from './pieces.ts';
import { indexedText } from './query.ts';

/** A conversation, or what the journal has of a session, as one thing that is read. */
export interface Source {
  /** What it is known by. */
  readonly key: string;
  readonly agent: string;
  readonly conversation: string;
  /** The session of ours that it belongs to; null: Outlast did not start it. */
  readonly session: string | null;
  readonly path: string;
  readonly cwd: string | null;
  /** When it was last written to, wall time. */
  readonly atMs: number;
}

/** A source as it is in the index. */
export interface StoredSource extends Source {
  readonly id: number;
  /** How far it was read, as JSON; null: not at all. */
  readonly place: string | null;
}

/** A text of a turn. */
export interface NewPiece extends Piece {
  /** The number of its source, and the agent. */
  readonly source: number;
  readonly agent: string;
  readonly turn: number;
  /** Where its turn begins in the source. */
  readonly start: number;
  readonly atMs: number;
}

/** The numbers of one second. With small gaps between ids the index is smaller. */
const PER_SECOND = 2 ** 12;

/** The smallest id of a text of this time. */
export function idAt(atMs: number): number {
  return Math.max(0, Math.floor(atMs / 1_000)) * PER_SECOND;
}

/** The word in `tags` for a kind, an agent or a source. It has letters and digits only. */
export function tagOf(what: 'kind' | 'agent' | 'source', value: string | number): string {
  return `${what}${what === 'agent' ? Buffer.from(String(value)).toString('hex') : value}`;
}

/** Writes sources and their texts to the index. */
export class IndexWriter {
  readonly db: DatabaseSync;
  readonly #lastId = new Map<number, number>();
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.db = db;
  }

  sources(): Map<string, StoredSource> {
    const rows = this.#run(
      'SELECT id, key, agent, conversation, session, path, cwd, at AS atMs, place FROM source',
    ).all();
    return new Map(rows.map((row) => [String(row.key), row as unknown as StoredSource]));
  }

  /** Stores what is known about a source and returns its number. */
  put({ key, agent, conversation, session, path, cwd, atMs }: Source, place: string | null): number {
    const row = this.#run(`INSERT INTO source (key, agent, conversation, session, path, cwd, at, place)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET session = excluded.session, path = excluded.path,
      cwd = coalesce(excluded.cwd, cwd), at = excluded.at, place = coalesce(excluded.place, place) RETURNING id`).get(
      key, agent, conversation, session, path, cwd, Math.floor(atMs), place,
    ); // biome-ignore format: the values in the order of the columns
    return Number(row?.id);
  }

  /** Adds texts, those of earlier times first. */
  add(pieces: readonly NewPiece[]): void {
    // SQLite merges what it was given out of order, so it is given in order as far as possible.
    for (const { source, agent, kind, text, turn, start, atMs } of pieces.toSorted((a, b) => a.atMs - b.atMs)) {
      const id = this.#nextId(atMs);
      this.#run('INSERT INTO piece (id, source, at, start, turn, kind, text) VALUES (?, ?, ?, ?, ?, ?, ?)').run(
        ...[id, source, Math.floor(atMs), start, turn, kind, text],
      );
      const tags = [tagOf('kind', kind), tagOf('agent', agent), tagOf('source', source)].join(' ');
      this.#run('INSERT INTO words (rowid, text, tags) VALUES (?, ?, ?)').run(id, indexedText(text), tags);
    }
  }

  /** Removes the texts of a source from this place on, or from one turn. */
  cut(source: number, from: number, to = Number.MAX_SAFE_INTEGER): void {
    const where = 'source = ? AND start >= ? AND start <= ?';
    this.#run(`DELETE FROM words WHERE rowid IN (SELECT id FROM piece WHERE ${where})`).run(source, from, to);
    this.#run(`DELETE FROM piece WHERE ${where}`).run(source, from, to);
  }

  /** Removes a source and its texts. */
  remove(source: number): void {
    this.cut(source, 0);
    this.#run('DELETE FROM source WHERE id = ?').run(source);
  }

  meta(key: string): string | null {
    const row = this.#run('SELECT value FROM meta WHERE key = ?').get(key);
    return row === undefined ? null : String(row.value);
  }

  setMeta(key: string, value: string): void {
    this.#run('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
      key,
      value,
    );
  }

  /** Does this in one transaction: all of it is stored, or nothing. */
  together(work: () => void): void {
    this.db.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.db.exec('COMMIT');
    } catch (error) {
      this.#lastId.clear();
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  /** How much of the file is in use. */
  usedBytes(): number {
    const one = (pragma: string): number => Number(Object.values(this.db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);
    return (one('page_count') - one('freelist_count')) * one('page_size');
  }

  /** The time of a text: this share of all texts is as new, or newer. */
  timeAt(share: number): number {
    const count = Number(this.#run('SELECT count(*) AS count FROM piece').get()?.count);
    const row = this.#run('SELECT at FROM piece ORDER BY id DESC LIMIT 1 OFFSET ?').get(Math.floor(count * share));
    return Number(row?.at ?? 0);
  }

  #nextId(atMs: number): number {
    for (let id = idAt(atMs); ; id += PER_SECOND) {
      const last = this.#lastId.get(id) ?? this.#lastIn(id);
      if (last + 1 >= id + PER_SECOND) continue;
      this.#lastId.set(id, last + 1);
      if (this.#lastId.size > SECONDS_MAX) this.#lastId.clear();
      return last + 1;
    }
  }

  #lastIn(id: number): number {
    const row = this.#run('SELECT max(id) AS id FROM piece WHERE id >= ? AND id < ?').get(id, id + PER_SECOND);
    return row?.id === null || row?.id === undefined ? id : Number(row.id);
  }

  #run(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

const SECONDS_MAX = 10_000;
