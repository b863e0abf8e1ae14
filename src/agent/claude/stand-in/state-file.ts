import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { makeFolder, writeWhole } from '../../../base/files.ts';
import { procStart, VERSION } from './places.ts';

/** The agent's status: `waiting` for a person, `shell` when only a shell of it still runs. */
export type Status = 'idle' | 'busy' | 'waiting' | 'shell';

/** The file `sessions/<pid>.json`. It is left behind when the process is killed. */
export interface StateFile {
  /** Writes it for the first time, still without a status. */
  begin(): void;
  set(status: Status, waitingFor?: string): void;
  /** The conversation changes with /clear. */
  follow(conversation: string): void;
  remove(): void;
}

interface About {
  readonly config: string;
  readonly conversation: string;
  readonly cwd: string;
  readonly interactive: boolean;
  readonly clock: Clock;
}

/** The state file of this process; nothing is written before begin(). */
export function stateFile(about: About): StateFile {
  const folder = join(about.config, 'sessions');
  const path = join(folder, `${process.pid}.json`);
  const startedAt = about.clock.wallMs();
  let { conversation } = about;
  let last: { status?: Status; waitingFor?: string } = {};
  const write = (): void => {
    makeFolder(folder);
    const fields = {
      pid: process.pid,
      sessionId: conversation,
      cwd: about.cwd,
      startedAt,
      procStart: procStart(process.pid),
      version: VERSION,
      kind: 'interactive',
      entrypoint: about.interactive ? 'cli' : 'sdk-cli',
      name: basename(about.cwd),
      ...last,
      statusUpdatedAt: about.clock.wallMs(),
    };
    writeWhole(path, JSON.stringify(fields));
  };
  return {
    begin: write,
    set: (status, waitingFor) => {
      last = waitingFor === undefined ? { status } : { status, waitingFor };
      write();
    },
    follow: (id) => {
      conversation = id;
      write();
    },
    remove: () => rmSync(path, { force: true }),
  };
}

/** A state file that is never written. */
export function noStateFile(): StateFile {
  return { begin: () => {}, set: () => {}, follow: () => {}, remove: () => {} };
}
