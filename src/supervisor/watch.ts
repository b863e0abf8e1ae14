import { type FSWatcher, watch } from 'node:fs';
import { makeFolder } from '../base/files.ts';
import type { Log } from '../base/log.ts';
import type { SessionId } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';

/** Watches a folder of notes that are named after runs. */
export interface Watch {
  close(): void;
}

/** Calls back for each note. If the watch fails, the slow look of every loop finds them. */
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
