import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';

export interface ChangeParts {
  readonly journal: Pick<Journal, 'onAppend'>;
  readonly clock: Clock;
}

/** A write that a watch missed, as some file systems do, is seen this much later. */
const LOOK_AGAIN_MS = 1_000;
/** The journal misses nothing; this only ends a wait that nobody else ends. */
const JOURNAL_LOOK_MS = 60_000;

/** What may be written to. */
export interface Watched {
  /** Null: it may be about any. */
  readonly session: SessionId | null;
  readonly files: readonly string[];
}

/**
 * Waits until something was written to one of these files, or to the journal about this session, or the time is up. It
 * may wake for nothing, never too late: it is armed before `isChanged` is asked.
 */
export async function waitForChange(
  { journal, clock }: ChangeParts,
  { session, files }: Watched,
  isChanged: () => boolean | Promise<boolean>,
  signal: AbortSignal,
  msMax = Number.POSITIVE_INFINITY,
): Promise<void> {
  const woken = Promise.withResolvers<void>();
  const rest = new AbortController();
  // Many may wait at once, each for a session of its own: all of them would look at every word of the others.
  const leave = journal.onAppend((written) => {
    if (session === null || written === session) woken.resolve();
  });
  const watchers = files.flatMap((file) => watchOf(file, woken.resolve));
  signal.addEventListener('abort', () => woken.resolve(), { once: true, signal: rest.signal });
  try {
    if (signal.aborted || (await isChanged())) return;
    await Promise.race([
      woken.promise,
      clock.sleep(Math.min(msMax, files.length > 0 ? LOOK_AGAIN_MS : JOURNAL_LOOK_MS), rest.signal),
    ]);
  } finally {
    rest.abort();
    leave();
    for (const watcher of watchers) watcher.close();
  }
}

/** The file if it is there, else its folder, where it will appear. */
function watchOf(file: string, wake: () => void): FSWatcher[] {
  for (const path of [file, dirname(file)]) {
    try {
      return [watch(path, wake).on('error', wake)];
    } catch {
      // Not there yet, or nothing can be watched any more: the slow look stands behind.
    }
  }
  return [];
}
