import { type FSWatcher, watch } from 'node:fs';
import { makeFolder } from '../base/files.ts';
import type { Log } from '../base/log.ts';
import type { SessionId } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';

/** Watches a folder in which notes are left under the names of runs. */
export interface Watch {
  close(): void;
}

/** Calls for each note. Should the watch fail, the slow look of every loop finds the news all the same. */
export function watchNotes(folder: string, noted: (session: SessionId) => void, log: Log): Watch {
  makeFolder(folder);
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, (_, name) => {
      const ref = name === null ? null : refOfName(name);
      if (ref !== null) noted(ref.session);
    });
    watcher.on('error', (error) => log('a folder is not watched any more', { folder, why: error.message }));
  } catch (error) {
    log('a folder cannot be watched', { folder, why: String(error) });
  }
  return { close: () => watcher?.close() };
}

/** The run that a note is about. */
export function refOfName(name: string): RunRef | null {
  const [session, run] = name.split('.');
  return session && run && /^\d+$/.test(run) ? { session: session as SessionId, run: Number(run) } : null;
}
