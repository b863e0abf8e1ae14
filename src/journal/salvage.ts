import { DatabaseSync } from 'node:sqlite';
import type { SessionId } from '../core/session.ts';
import type { AuditRow } from './audit.ts';
import type { Entry, Position, UsageRow } from './journal.ts';
import { auditRowOf } from './sqlite-audit.ts';
import { eventOf, usageRowOf } from './sqlite-rows.ts';

type Line = Record<string, unknown>;

/** Reads what can be read of a journal that may be damaged. It never throws because of the file's contents. */
export class Salvage {
  readonly #db: DatabaseSync | null;
  /** All events, by session; used once the index by session has failed. */
  #scanned: Map<string, Line[]> | null = null;

  constructor(path: string) {
    this.#db = openQuietly(path);
  }

  /** The ids of all sessions, also of removed ones. */
  sessions(): string[] {
    return this.#walk('SELECT id FROM sessions').lines.map(({ id }) => String(id));
  }

  /** The events of a session, up to the first gap. */
  events(session: SessionId): Entry[] {
    return readable(this.#linesOf(session));
  }

  audit(): AuditRow[] {
    return this.#all('audit', 'number').map(auditRowOf);
  }

  usage(): UsageRow[] {
    return this.#all('usage', 'rowid').map(usageRowOf);
  }

  /** Two columns of a table as strings. */
  pairs(table: 'inputs' | 'cursors' | 'facts'): [string, string][] {
    const [key, value] = COLUMNS[table];
    return this.#all(table, key).map((line) => [String(line[key]), String(line[value])]);
  }

  close(): void {
    this.#db?.close();
  }

  #linesOf(session: SessionId): Line[] {
    if (this.#scanned === null) {
      try {
        return this.#db?.prepare('SELECT * FROM events WHERE session = ? ORDER BY seq').all(session) ?? [];
      } catch {
        this.#scanned = Map.groupBy(this.#all('events', 'position'), (line) => String(line.session));
      }
    }
    return (this.#scanned.get(session) ?? []).toSorted((a, b) => Number(a.seq) - Number(b.seq));
  }

  /** From both ends: what lies behind an unreadable page is reached from the other side. */
  #all(table: string, key: string): Line[] {
    const ahead = this.#walk(`SELECT * FROM ${table} ORDER BY ${key}`);
    if (ahead.isWhole) return ahead.lines;
    const back = this.#walk(`SELECT * FROM ${table} ORDER BY ${key} DESC`).lines.reverse();
    const known = new Set(ahead.lines.map((line) => JSON.stringify(line[key])));
    return [...ahead.lines, ...back.filter((line) => !known.has(JSON.stringify(line[key])))];
  }

  #walk(sql: string): { readonly lines: Line[]; readonly isWhole: boolean } {
    const lines: Line[] = [];
    try {
      for (const line of this.#db?.prepare(sql).iterate() ?? []) lines.push(line);
      return { lines, isWhole: true };
    } catch {
      return { lines, isWhole: false };
    }
  }
}

const COLUMNS = {
  inputs: ['id', 'session'],
  cursors: ['reader', 'position'],
  facts: ['key', 'value'],
} as const;

function openQuietly(path: string): DatabaseSync | null {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch {
    return null;
  }
}

function readable(lines: readonly Line[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const event = eventOf(line);
    if (event === null || event.seq !== entries.length + 1) break;
    entries.push({ position: Number(line.position) as Position, event });
  }
  return entries;
}
