import { type FSWatcher, readdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../base/files.ts';
import type { Log } from '../base/log.ts';
import type { SessionId } from '../core/session.ts';
import { exitsFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';

/** The one folder where every launcher notes its exit. Watching it tells of an end within milliseconds. */
export interface Exits {
  /** Runs whose end was not dealt with when the last daemon ended. */
  pending(): RunRef[];
  /** The end was dealt with. */
  clear(ref: RunRef): void;
  close(): void;
}

/** Watches the folder. Should the watch fail, the slow look of every loop finds the exits all the same. */
export function watchExits(state: string, ended: (session: SessionId) => void, log: Log): Exits {
  const folder = exitsFolder(state);
  makeFolder(folder);
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, (_, name) => {
      const ref = name === null ? null : refOf(name);
      if (ref !== null) ended(ref.session);
    });
    watcher.on('error', (error) => log('the exits are not watched any more', { why: error.message }));
  } catch (error) {
    log('the exits cannot be watched', { why: String(error) });
  }
  return {
    pending: () => readdirSync(folder).flatMap((name) => refOf(name) ?? []),
    clear: (ref) => rmSync(join(folder, runName(ref)), { force: true }),
    close: () => watcher?.close(),
  };
}

function refOf(name: string): RunRef | null {
  const [session, run] = name.split('.');
  return session && run && /^\d+$/.test(run) ? { session: session as SessionId, run: Number(run) } : null;
}
