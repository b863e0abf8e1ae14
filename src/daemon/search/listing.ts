import { realpathSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Agent } from '../../agent/seam/agent.ts';
import type { Conversations, Files, Listed, Store, StoreRow } from '../../agent/seam/conversations.ts';
import { firstText } from '../../supervisor/first-text.ts';
import { keyOf } from './turn-file.ts';

/** A conversation that is stored on this machine. */
export interface Stored {
  readonly agent: Agent;
  readonly listed: Listed;
  /** The file, or the database. */
  readonly path: string;
  readonly atMs: number;
  /** Identity, size and time of the file; of a database: of its files. */
  readonly fileKey: string;
}

/** Where conversations are looked for. */
export interface Where {
  readonly agents: readonly Agent[];
  readonly files: Files;
  readonly env: Readonly<Record<string, string>>;
  /** Additional folders from the config. */
  readonly folders: readonly string[];
}

/** All conversations that were found, and the databases that could not be read now. */
export interface Listing {
  readonly stored: readonly Stored[];
  readonly unread: readonly string[];
}

/** How long a writer may keep a database locked. */
const BUSY_MS_MAX = 1_000;
const ROWS_MAX = 100_000;
/** Where a conversation says in which folder it is. */
const FIRST_BYTES_MAX = 128 * 1024;

/** Lists the conversations of all agents whose conversations can be read, those of sub-agents excepted. */
export async function listAll({ agents, files, env, folders }: Where, rest: () => Promise<void>): Promise<Listing> {
  const found = new Map<string, Stored>();
  const unread: string[] = [];
  const add = (one: Stored): void => {
    const key = `${one.agent.name} ${one.listed.id}`;
    const before = found.get(key);
    // A folder can have two names, and a copy of a conversation is not another one.
    if (before === undefined || before.atMs < one.atMs) found.set(key, one);
  };
  for (const agent of agents) {
    const { conversations, record } = agent;
    if (conversations === undefined || record === undefined) continue;
    for (const home of conversations.homes(files, env, folders)) {
      for (const listed of conversations.list(files, home)) {
        const one = fileOf(agent, listed);
        if (one !== null) add(one);
      }
      await rest();
      for (const store of conversations.stored?.stores(files, home) ?? []) {
        const rows = rowsOf(agent, conversations, store);
        if (rows === null) unread.push(store.path, realPath(store.path));
        for (const one of rows ?? []) add(one);
        await rest();
      }
    }
  }
  return { stored: [...found.values()], unread };
}

/** The folder in which a conversation works; null: it does not say. */
export function folderOf({ conversations }: Agent, listed: Listed): string | null {
  if (conversations === undefined) return null;
  try {
    const first = listed.stored === undefined ? firstText(listed.path, FIRST_BYTES_MAX) : '';
    const reader = conversations.about(first, listed);
    return reader.view(reader.read(reader.empty, first)).cwd;
  } catch {
    // What is damaged may be of any shape.
    return null;
  }
}

function fileOf(agent: Agent, listed: Listed): Stored | null {
  if (listed.isStore === true || listed.judgement?.is === 'system') return null;
  const stat = statSync(listed.path, { throwIfNoEntry: false });
  // Conversations of other users are not ours to keep, even if we may read them.
  if (stat === undefined || !stat.isFile() || stat.uid !== (process.getuid?.() ?? stat.uid)) return null;
  return { agent, listed, path: listed.path, atMs: stat.mtimeMs, fileKey: keyOf(stat) };
}

/** The conversations in a database; null: it cannot be read now. */
function rowsOf(agent: Agent, { stored }: Conversations, store: Store): Stored[] | null {
  const stat = statSync(store.path, { throwIfNoEntry: false });
  if (stored === undefined || stat === undefined || stat.uid !== (process.getuid?.() ?? stat.uid)) return [];
  const real = { ...store, path: realPath(store.path) };
  const fileKey = databaseKey(real.path);
  try {
    using db = new DatabaseSync(real.path, { readOnly: true, timeout: BUSY_MS_MAX });
    const rows = db.prepare(store.newest).all({ sinceMs: 0, rowsMax: ROWS_MAX });
    return rows.flatMap((row): Stored[] => {
      const listed = stored.listed(real, rowOf(row), null);
      if (listed.judgement?.is === 'system') return [];
      return [{ agent, listed, path: real.path, atMs: Number(row.at_ms), fileKey }];
    });
  } catch {
    return null;
  }
}

function rowOf({ key, id, status, at_ms }: Record<string, unknown>): StoreRow {
  const text = status === null ? null : String(status);
  return { key: String(key), id: String(id), status: text, atMs: Number(at_ms), bytes: 0, end: null };
}

/** Identity, size and time of a database and of its write-ahead log. */
export function databaseKey(path: string): string {
  return [path, `${path}-wal`]
    .map((each) => statSync(each, { throwIfNoEntry: false }))
    .map((stat) => (stat === undefined ? '' : keyOf(stat)))
    .join(' ');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
