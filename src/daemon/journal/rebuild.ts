import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, monotonicMs } from '../../base/clock.ts';
import { syncFolder } from '../../base/files.ts';
import { newId, newShortId } from '../../base/ids.ts';
import type { Log } from '../../base/log.ts';
import type { EventBody } from '../../core/event.ts';
import type { Session, SessionId } from '../../core/session.ts';
import type { AuditRow } from '../../journal/audit.ts';
import { type Found, JournalWriter } from '../../journal/rebuild.ts';
import { Salvage } from '../../journal/salvage.ts';
import { backupFiles } from './backup.ts';
import { asideFolders, journalFile, keepAside } from './damaged-journal.ts';
import { folderIds, foundIn, runsAfter } from './folders.ts';

/** The dependencies of a rebuild. */
export interface RebuildParts {
  readonly state: string;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly log: Log;
}

/** The result of a rebuild. */
export interface Rebuilt {
  readonly journal: string;
  readonly sessions: number;
  readonly live: number;
  /** Where the old journal is; null: there was none. */
  readonly aside: string | null;
  /** Sessions whose folders contain too little: they are left as they are. */
  readonly untold: readonly SessionId[];
}

interface Source {
  readonly salvage: Salvage;
  /** True for the journal that was used last, false for an older copy. */
  readonly isLast: boolean;
}

/** The id of the oldest thing that this journal can know: an older unknown one may still be in use. */
export const SINCE = 'journalSince';

/**
 * Rebuilds the journal from the session folders and from what is readable of the old journal or of a backup. The old
 * journal is kept. A crash in the middle costs nothing: the next daemon starts over.
 */
export function rebuildJournal(parts: RebuildParts, why: string, from: string | null = null): Rebuilt {
  const { state, clock, log } = parts;
  const aside = keepAside(state, clock.wallMs());
  const sources = sourcesOf(state, from);
  const fresh = `${journalFile(state)}.new`;
  for (const path of [fresh, `${fresh}-wal`, `${fresh}-shm`]) rmSync(path, { force: true });
  const writer = new JournalWriter(fresh);
  try {
    const made = write(writer, sources, { ...parts, why });
    renameSync(fresh, journalFile(state));
    syncFolder(state);
    const rebuilt = { ...made, aside };
    log('the journal was rebuilt', { why, ...rebuilt });
    return rebuilt;
  } finally {
    writer.close();
    for (const { salvage } of sources) salvage.close();
  }
}

function sourcesOf(state: string, from: string | null): Source[] {
  if (from !== null) return [{ salvage: new Salvage(from), isLast: false }];
  const [last] = asideFolders(state);
  const files = last === undefined ? [] : ['outlast.db.saved', 'outlast.db'].map((name) => join(last, name));
  const [backup] = backupFiles(state);
  return [
    ...files.filter(existsSync).map((path) => ({ salvage: new Salvage(path), isLast: true })),
    ...(backup === undefined ? [] : [{ salvage: new Salvage(backup), isLast: false }]),
  ];
}

function write(
  writer: JournalWriter,
  sources: readonly Source[],
  { state, clock, why }: RebuildParts & { why: string },
) {
  const journal = newShortId();
  const atMs = clock.wallMs();
  const untold: SessionId[] = [];
  for (const id of folderIds(state)) {
    let found: readonly Found[] = foundIn(state, id, atMs);
    for (const { salvage } of sources) found = longer(found, salvage.events(id));
    if (found.length === 0) untold.push(id);
    writer.session(found);
  }
  const sessions = writer.sessions();
  const times = { atMs, steadyMs: Math.max(writer.steadyMs, Math.round(monotonicMs())) };
  for (const session of sessions) writer.append(session, since(state, session, journal), times);
  for (const { salvage, isLast } of sources) {
    const isWanted = (key: string): boolean => isLast || !OF_READERS.test(key);
    writer.copy(salvage, { cursor: isWanted, fact: (key) => isWanted(key) && !NEVER.has(key) });
  }
  writer.fact(SINCE, newId(atMs));
  writer.finish(auditOf(sources), { journal, why, atMs });
  const live = sessions.filter(({ phase }) => phase.at !== 'ended').length;
  return { journal, sessions: sessions.length, live, untold };
}

/** Facts of journal readers and of the host: valid for the journal that was used last, but not for an older copy. */
const OF_READERS = /^(notices?|wakes|mirror|boot|first|away|steadyOriginMs)(:|$)/;
const NEVER = new Set(['journal', SINCE, 'planned']);

/** The longer of two versions of the same events. Where they differ the folder is right: it was written last. */
function longer(told: readonly Found[], other: readonly Found[]): readonly Found[] {
  if (told.length === 0 || other.length === 0) return told.length === 0 ? other : told;
  const at = Math.min(told.length, other.length) - 1;
  const [mine, theirs] = [told[at]?.event, other[at]?.event];
  if (mine?.body.type !== theirs?.body.type || mine?.atMs !== theirs?.atMs) return told;
  return [...other, ...told.slice(other.length)];
}

/** A live session starts no work until a person resumes it. */
function since(state: string, session: Session, journal: string): EventBody[] {
  const runs = runsAfter(state, session);
  const isOver = session.phase.at === 'ended' && runs.length === 0;
  return isOver ? [] : [...runs, { type: 'session.restored', journal }];
}

/** The longest audit that is readable. */
function auditOf(sources: readonly Source[]): readonly AuditRow[] {
  const all = sources.map(({ salvage }) => salvage.audit());
  return all.reduce((longest, rows) => (rows.length > longest.length ? rows : longest), []);
}
