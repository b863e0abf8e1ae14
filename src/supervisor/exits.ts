import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';
import type { SessionId } from '../core/session.ts';
import { exitsFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { refOfName, watchNotes } from './watch.ts';

/** The one folder where every launcher notes its exit. Watching it reports an end within milliseconds. */
export interface Exits {
  /** Runs whose end was not handled when the last daemon ended. */
  pending(): RunRef[];
  /** Removes the note: the end was handled. */
  clear(ref: RunRef): void;
  close(): void;
}

/** Watches the folder of exits. */
export function watchExits(state: string, ended: (session: SessionId) => void, log: Log): Exits {
  const folder = exitsFolder(state);
  const { close } = watchNotes(folder, ended, log);
  return {
    pending: () => readdirSync(folder).flatMap((name) => refOfName(name) ?? []),
    clear: (ref) => rmSync(join(folder, runName(ref)), { force: true }),
    close,
  };
}
