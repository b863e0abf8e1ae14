import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';

const CASES = join(import.meta.dirname, '../src/agent/openclaw/cases');

// The tables of OpenClaw 2026.9.6 (agent schema 23) that we read.
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE session_nodes (
    session_key TEXT NOT NULL PRIMARY KEY,
    current_session_id TEXT NOT NULL,
    entry_json TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    status TEXT CHECK (status IS NULL OR status IN ('running', 'done', 'failed', 'killed', 'timeout'))
  ) STRICT;
  CREATE INDEX idx_agent_session_nodes_updated_at ON session_nodes(updated_at DESC, session_key);
  CREATE INDEX idx_agent_session_nodes_current_session_id ON session_nodes(current_session_id);
  CREATE TABLE transcript_events (
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    event_json TEXT,
    created_at INTEGER NOT NULL,
    event_zstd BLOB,
    event_utf8_bytes INTEGER,
    PRIMARY KEY (session_id, seq)
  ) STRICT;`;

/** A conversation as it is in the database of an agent of OpenClaw. */
export interface ClawConversation {
  readonly key: string;
  /** The name of a file in src/agent/openclaw/cases. */
  readonly events: string;
  readonly status?: string | null;
  readonly agoMs?: number;
  /** Its records are stored compressed. */
  readonly isCompressed?: boolean;
}

/** The path of the database of an agent. */
export function clawStore(home: string, owner = 'main'): string {
  return join(home, 'agents', owner, 'agent/openclaw-agent.sqlite');
}

/** Writes the database of an agent; returns the ids of its conversations. */
export function keepClaw(home: string, all: readonly ClawConversation[], owner = 'main'): string[] {
  const path = clawStore(home, owner);
  mkdirSync(join(path, '..'), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec(SCHEMA);
  const ids = all.map((one, i) => {
    const id = `${owner}${i}-0000-4000-8000`;
    const atMs = Date.now() - (one.agoMs ?? 0);
    const { key, status = 'running' } = one;
    db.prepare('INSERT INTO session_nodes VALUES (?, ?, ?, ?, ?)').run(key, id, '{}', atMs, status);
    const lines = readFileSync(join(CASES, `${one.events}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    for (const [seq, line] of lines.entries()) {
      const zstd = one.isCompressed ? zstdCompressSync(line) : null;
      const insert = db.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?, ?)');
      insert.run(id, seq, zstd === null ? line : null, atMs, zstd, Buffer.byteLength(line));
    }
    return id;
  });
  db.close();
  return ids;
}

/** Writes the lock file of a gateway with this pid and age. */
export function lockClaw(home: string, { pid, agoMs }: { pid: number; agoMs: number }): void {
  const folder = join(home, 'tmp/openclaw-0');
  mkdirSync(folder, { recursive: true });
  const createdAt = new Date(Date.now() - agoMs).toISOString();
  // OpenClaw pads the file with blanks.
  const text = `${JSON.stringify({ pid, createdAt, stateDir: home, port: 18789 })}\n\t\t  \t\n`;
  writeFileSync(join(folder, 'gateway.state.lock'), text);
}
