import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';

export interface ChangeParts {
  readonly journal: Pick<Journal, 'onAppend'>;
  readonly clock: Clock;
}

/** How much later a write is noticed that a file watch missed, as happens on some file systems. */
const LOOK_AGAIN_MS = 1_000;
/** The journal misses nothing; this is only a safety net. */
const JOURNAL_LOOK_MS = 60_000;

/** What is watched. */
export interface Watched {
  /** Null: any session. */
  readonly session: SessionId | null;
  readonly files: readonly string[];
}

/**
 * Waits until one of these files or the journal of this session was written to, or the time is up. It may return
 * without a change, but never misses one: it starts to watch before it calls `isChanged`.
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
  // Many calls may wait at once, each for its own session: none should wake up for the events of the others.
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

/** Watches the file if it exists, else its folder, where it will appear. */
function watchOf(file: string, wake: () => void): FSWatcher[] {
  for (const path of [file, dirname(file)]) {
    try {
      return [watch(path, wake).on('error', wake)];
    } catch {
      // It does not exist yet, or the limit of watches is reached: the slow check still runs.
    }
  }
  return [];
}
