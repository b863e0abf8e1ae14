import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type Actor, byPolicy } from '../../core/actor.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal, Row } from '../../journal/journal.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import type { Config } from '../config/schema.ts';
import { endedRows } from './ended-rows.ts';

/** The dependencies of retention. */
export interface RetentionParts {
  readonly journal: Pick<Journal, 'list' | 'session' | 'purge'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'retention'>;
  readonly state: string;
  readonly remove: (id: SessionId, by: Actor) => Promise<void>;
  /** True when a notice for this position is still pending. */
  readonly pending: (position: number) => boolean;
  readonly log: Log;
}

/** The sweep of a running daemon. */
export interface Retention {
  stop(): Promise<void>;
}

interface World extends RetentionParts {
  readonly stopping: AbortSignal;
}

/** Removes ended sessions that are too old or use too much disk space, now and periodically. */
export function startRetention(parts: RetentionParts): Retention {
  const stopping = new AbortController();
  const loop = keepSweeping({ ...parts, stopping: stopping.signal });
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

async function keepSweeping(world: World): Promise<void> {
  const { clock, stopping, config, log } = world;
  while (!stopping.aborted) {
    try {
      await sweep(world);
    } catch (error) {
      // Keeping too much for a while is better than no daemon.
      log(`retention: ${error instanceof Error ? error.message : error}`);
    }
    // One sleep may be shorter than requested.
    const dueMs = clock.steadyMs() + config.retention.everyMs;
    while (!stopping.aborted && clock.steadyMs() < dueMs) await clock.sleep(dueMs - clock.steadyMs(), stopping);
  }
}

async function sweep(world: World): Promise<void> {
  const { journal, clock, config } = world;
  const young: Row[] = [];
  // Those that ended first come first.
  for (const row of [...endedRows(journal)].sort((a, b) => endedAtMs(a) - endedAtMs(b))) {
    if (!isOld(row, world) || !(await removed(row, world))) young.push(row);
  }
  await freeSpace(young, world);
  if (!world.stopping.aborted) journal.purge(clock.wallMs() - config.retention.ageMsMax);
}

function isOld(row: Row, { journal, clock, config }: World): boolean {
  const { ageMsMax } = config.retention;
  if (clock.wallMs() - endedAtMs(row) <= ageMsMax) return false;
  // A wall clock that jumped ahead makes everything look old. The steady clock does not jump, but costs a read.
  const last = journal.session(row.session.id).events.at(-1);
  return last !== undefined && clock.steadyMs() - last.steadyMs > ageMsMax;
}

async function freeSpace(rows: readonly Row[], world: World): Promise<void> {
  const sized: { row: Row; bytes: number }[] = [];
  for (const row of rows) {
    if (world.stopping.aborted) return;
    sized.push({ row, bytes: await diskBytes(sessionFolder(world.state, row.session.id)) });
  }
  let bytes = sized.reduce((sum, one) => sum + one.bytes, 0);
  for (const one of sized) {
    if (bytes <= world.config.retention.outputBytesMax) return;
    if (one.bytes > 0 && (await removed(one.row, world))) bytes -= one.bytes;
  }
}

async function removed(row: Row, { remove, pending, log, stopping }: World): Promise<boolean> {
  // Sessions that a person may still need, or that have a pending notice, stay.
  if (stopping.aborted || row.live || row.unreadableAt !== null || pending(row.position)) return false;
  try {
    await remove(row.session.id, byPolicy('retention'));
    return true;
  } catch (error) {
    log(`retention: cannot remove ${row.session.id}: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** The disk space in use, not the length: the beginning of a long output may have been freed. */
async function diskBytes(path: string): Promise<number> {
  try {
    const stat = await lstat(path);
    if (!stat.isDirectory()) return stat.blocks * 512;
    let bytes = 0;
    for (const name of await readdir(path)) bytes += await diskBytes(join(path, name));
    return bytes;
  } catch {
    // Removed meanwhile: it uses no space.
    return 0;
  }
}

function endedAtMs(row: Row): number {
  return row.endedAtMs ?? row.session.created.wallMs;
}
