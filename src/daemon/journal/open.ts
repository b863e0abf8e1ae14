import { statSync } from 'node:fs';
import { OutlastError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { isDamage } from '../../journal/damage.ts';
import type { Journal } from '../../journal/journal.ts';
import { type StoredJournal, sqliteJournal } from '../../journal/sqlite.ts';
import type { Fatal } from '../../journal/sqlite-guard.ts';
import { damageOf, journalFile, markDamaged } from './damaged-journal.ts';
import { folderIds, isTelling, lastSeq } from './folders.ts';
import { type RebuildParts, rebuildJournal, SINCE } from './rebuild.ts';

/** The dependencies of openJournal. */
export interface OpenParts extends RebuildParts {
  /** Ends the daemon. */
  readonly giveUp: Fatal;
}

/** A smaller file is not a journal: SQLite's own header is longer. */
const FILE_BYTES_MIN = 100;

/**
 * Opens the journal. One that is missing, empty, damaged or older than the session folders is rebuilt first, and the
 * old one is kept. This runs before anything reads or writes the folders: they may be all that is left.
 */
export function openJournal(parts: OpenParts): StoredJournal {
  const { state, clock } = parts;
  const isNew = fileBytes(state) < FILE_BYTES_MIN;
  const why = damageOf(state) ?? (isNew && folderIds(state).length > 0 ? 'the journal was missing or empty' : null);
  if (why !== null) rebuildJournal(parts, why);
  const journal = openOrRebuild(parts);
  if (isNew && why === null) journal.saveFact(SINCE, newId(clock.wallMs()));
  const behind = whyBehind(state, journal);
  if (behind === null) return journal;
  journal.close();
  rebuildJournal(parts, behind);
  return openOrRebuild(parts);
}

function openOrRebuild(parts: OpenParts): StoredJournal {
  const path = journalFile(parts.state);
  const fatal: Fatal = (cause) => parts.giveUp(isDamage(cause) ? damaged(parts.state, cause) : cause);
  try {
    return sqliteJournal(path, fatal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    rebuildJournal(parts, String(error instanceof Error ? error.message : error));
    return sqliteJournal(path, fatal);
  }
}

/** Records damage that was found while the daemon runs, for the next daemon. */
export function damaged(state: string, cause: unknown): OutlastError {
  const why = cause instanceof Error ? cause.message : String(cause);
  markDamaged(state, why);
  return new OutlastError('journal_damaged', `the journal ${journalFile(state)} is damaged: ${why}`, { cause });
}

/** Why the journal is older than the session folders: a copy was restored, or its log was lost. */
function whyBehind(state: string, journal: Pick<Journal, 'knows' | 'live' | 'find'>): string | null {
  const unknown = folderIds(state).find((id) => !journal.knows(id) && isTelling(state, id));
  if (unknown !== undefined) return `the journal did not know the session ${unknown}`;
  const behind = journal.live().find((id) => lastSeq(state, id) > (journal.find(id)?.session.seq ?? 0));
  return behind === undefined ? null : `the journal was older than the folder of the session ${behind}`;
}

function fileBytes(state: string): number {
  return statSync(journalFile(state), { throwIfNoEntry: false })?.size ?? 0;
}
