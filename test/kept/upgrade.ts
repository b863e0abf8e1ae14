import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newId } from '../../src/base/ids.ts';
import type { SessionView } from '../../src/client/index.ts';
import { type Ran, World } from '../world.ts';
import { unpackFolder } from './folder-file.ts';
import { OldVersion } from './old-version.ts';
import { keptPlaces } from './places.ts';
import { type Places, relocate } from './relocate.ts';

const KEPT = import.meta.dirname;

/** The versions that are kept, by the names of their folders. */
export const VERSIONS = readdirSync(KEPT).filter((name) => statSync(join(KEPT, name)).isDirectory());

/** A kept version, unpacked, and a current daemon that can be started on its state folder. */
export class Upgrade implements AsyncDisposable {
  readonly old: OldVersion;
  readonly world: World;

  constructor(version: string) {
    const root = mkdtempSync(join(tmpdir(), 'ol-kept-'));
    unpackFolder(join(KEPT, version, 'state.br'), root);
    relocate(root, [...keptPlaces(root), ...newIds(root)]);
    unpackFolder(join(KEPT, version, 'program.br'), join(root, 'program'));
    this.old = new OldVersion(root);
    this.world = new World({ state: this.old.state, configFile: this.old.config });
  }

  /** Runs the current command line. */
  cli(words: readonly string[], { name = 'nobody', cwd = '/tmp' } = {}): Promise<Ran> {
    return this.world.cli(words, { cwd, env: this.old.env(name) });
  }

  async view(name: string): Promise<SessionView> {
    return (await this.world.client.show(name)).session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.old.kill();
    await this.world[Symbol.asyncDispose]();
    rmSync(this.old.root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  }
}

/**
 * New ids for the sessions and their conversations: processes are found by them, and the same version may be unpacked
 * more than once on a machine. Sessions in the audit keep their ids: its rows cannot be rewritten, and none of these
 * sessions runs.
 */
function newIds(root: string): Places {
  using db = new DatabaseSync(join(root, 'state/outlast.db'), { readOnly: true });
  const sql = `SELECT session AS id, body ->> '$.spec.conversation.id' AS conversation FROM events
    WHERE seq = 1 AND session NOT IN (SELECT session FROM audit)`;
  return db
    .prepare(sql)
    .all()
    .flatMap(({ id, conversation }) => [
      // The first half is the time, by which ids are sorted.
      [String(id), String(id).slice(0, 10) + newId(0).slice(10)] as const,
      ...(conversation === null ? [] : [[String(conversation), randomUUID()] as const]),
    ]);
}

/** The contents of a journal of any version. */
export interface Written {
  readonly names: readonly string[];
  /** The approval that was deferred. */
  readonly question: string;
  readonly audit: readonly unknown[];
  readonly events: readonly unknown[];
}

/** Reads a journal without our own code. */
export function writtenIn(state: string): Written {
  using db = new DatabaseSync(join(state, 'outlast.db'), { readOnly: true });
  const parked = "SELECT body ->> '$.approval' AS id FROM events WHERE body ->> '$.type' = 'turn.deferred'";
  const rows = (sql: string): Record<string, unknown>[] => db.prepare(sql).all();
  return {
    names: rows('SELECT name FROM sessions').map(({ name }) => String(name)),
    question: String(rows(`${parked} ORDER BY position DESC LIMIT 1`)[0]?.id),
    audit: rows('SELECT * FROM audit ORDER BY number'),
    events: rows('SELECT position, session, seq, at_ms FROM events ORDER BY position'),
  };
}
