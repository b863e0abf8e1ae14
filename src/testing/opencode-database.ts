import { DatabaseSync } from 'node:sqlite';

/** The tables of OpenCode 1.18.33 that are read, with all of their columns and indexes. */
const SCHEMA = `
  CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT NOT NULL, vcs TEXT, name TEXT, icon_url TEXT,
    icon_url_override TEXT, icon_color TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
    time_initialized INTEGER, sandboxes TEXT NOT NULL, commands TEXT);
  INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) VALUES ('global', '/', 1, 1, '[]');
  CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, workspace_id TEXT, parent_id TEXT,
    slug TEXT NOT NULL, directory TEXT NOT NULL, path TEXT, title TEXT NOT NULL, version TEXT NOT NULL, share_url TEXT,
    summary_additions INTEGER, summary_deletions INTEGER, summary_files INTEGER, summary_diffs TEXT, metadata TEXT,
    cost REAL NOT NULL DEFAULT 0, tokens_input INTEGER NOT NULL DEFAULT 0, tokens_output INTEGER NOT NULL DEFAULT 0,
    tokens_reasoning INTEGER NOT NULL DEFAULT 0, tokens_cache_read INTEGER NOT NULL DEFAULT 0,
    tokens_cache_write INTEGER NOT NULL DEFAULT 0, revert TEXT, permission TEXT, agent TEXT, model TEXT,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, time_compacting INTEGER, time_archived INTEGER);
  CREATE INDEX session_project_idx ON session (project_id);
  CREATE INDEX session_workspace_idx ON session (workspace_id);
  CREATE INDEX session_parent_idx ON session (parent_id);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE INDEX message_session_time_created_id_idx ON message (session_id, time_created, id);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    session_id TEXT NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE INDEX part_message_id_id_idx ON part (message_id, id);
  CREATE INDEX part_session_idx ON part (session_id);`;

/** What is not as usual about a conversation. */
interface SessionFields {
  directory?: string;
  parent_id?: string;
  time_created?: number;
  time_updated?: number;
  time_archived?: number;
}

/** A database as OpenCode makes it. */
export class OpencodeDatabase {
  readonly db: DatabaseSync;

  constructor(path = ':memory:') {
    this.db = new DatabaseSync(path);
    this.db.exec(SCHEMA);
  }

  session(id: string, fields: SessionFields = {}): void {
    const usual = { project_id: 'global', slug: id, directory: '/w', title: '', version: '1.18.33', time_created: 1 };
    this.#insert('session', { id, ...usual, time_updated: 1, ...fields });
  }

  message(id: string, session_id: string, data: object, time_updated = 1): void {
    this.#insert('message', { id, session_id, time_created: 1, time_updated, data: JSON.stringify(data) });
  }

  part(id: string, [session_id, message_id]: readonly [string, string], data: object, time_updated = 1): void {
    this.#insert('part', { id, message_id, session_id, time_created: 1, time_updated, data: JSON.stringify(data) });
  }

  /** The lines that a query of an adapter gives. */
  lines(query: string, values: Record<string, string | number>): string {
    const rows = this.db.prepare(query).all(values);
    return rows.map(({ line }) => `${line}\n`).join('');
  }

  /** How SQLite would carry out a query, a sentence for each step. */
  plan(query: string, values: Record<string, string | number>): string[] {
    const steps = this.db.prepare(`EXPLAIN QUERY PLAN ${query}`).all(values);
    return steps.map(({ detail }) => String(detail));
  }

  #insert(table: string, fields: Record<string, string | number>): void {
    const names = Object.keys(fields);
    this.db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map((name) => `$${name}`)})`).run(fields);
  }
}
