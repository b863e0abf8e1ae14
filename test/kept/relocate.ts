import { lstatSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { pathsBelow } from './folder-file.ts';

/** What is replaced by what: paths of the machine, the placeholders for them in a kept folder, ids. */
export type Places = readonly (readonly [from: string, to: string])[];

/** Replaces paths in everything below a folder: file names, texts and journals. */
export function relocate(folder: string, places: Places): void {
  const replace = (text: string): string => places.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  for (const path of pathsBelow(folder)) {
    if (/\.db$/.test(path)) relocateDatabase(path, replace);
    else relocateFile(path, replace);
  }
  renameBelow(folder, replace);
}

/** Paths are ASCII here, so every byte can be treated as a character. */
function relocateFile(path: string, replace: (text: string) => string): void {
  if (statSync(path).isDirectory()) return;
  const before = readFileSync(path, 'latin1');
  const after = replace(before);
  if (after === before) return;
  const { mode } = statSync(path);
  writeFileSync(path, after, { encoding: 'latin1', mode });
}

/** Bottom-up: renaming a folder changes the paths of everything in it. */
function renameBelow(folder: string, replace: (text: string) => string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (lstatSync(path).isDirectory()) renameBelow(path, replace);
    if (replace(name) !== name) renameSync(path, join(folder, replace(name)));
  }
}

/** The sum of an event is made again. An audit is a chain of hashes: nothing in it may name a place. */
function relocateDatabase(path: string, replace: (text: string) => string): void {
  using db = new DatabaseSync(path);
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL").all();
  for (const { name } of tables) relocateTable(db, String(name), replace);
}

function relocateTable(db: DatabaseSync, table: string, replace: (text: string) => string): void {
  const columns = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string; pk: number }[];
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const own = keys.length === 0 ? ['rowid'] : keys;
  for (const row of db.prepare(`SELECT ${own.join(', ')}, * FROM ${table}`).all()) {
    const changed = Object.entries(row).filter(([, value]) => typeof value === 'string' && replace(value) !== value);
    if (changed.length === 0) continue;
    if (table === 'audit') throw new Error(`the audit names a place: ${JSON.stringify(row)}`);
    const next: Record<string, SQLInputValue> = Object.fromEntries(
      changed.map(([name, value]) => [name, replace(String(value))]),
    );
    if (table === 'events' && typeof next.body === 'string') next.crc = crc32(next.body);
    const set = Object.keys(next).map((name) => `${name} = ?`);
    const where = own.map((name) => `${name} = ?`);
    const values = [...Object.values(next), ...own.map((name) => row[name] as SQLInputValue)];
    db.prepare(`UPDATE ${table} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`).run(...values);
  }
}
