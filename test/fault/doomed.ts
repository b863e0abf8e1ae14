import { join } from 'node:path';
import { World } from '../world.ts';

/** The fault that hits the daemon, and the system call of its journal. */
export interface Blow {
  readonly name: string;
  readonly call: string;
  readonly fault: string;
}

/** The kernel kills the daemon at a write or a sync of its journal, or makes that fail. */
export const BLOWS: readonly Blow[] = [
  { name: 'T-CRASH-1: killed at write', call: 'pwrite64', fault: 'signal=SIGKILL' },
  { name: 'T-CRASH-1: killed at sync', call: 'fdatasync,fsync', fault: 'signal=SIGKILL' },
  // After a failed sync the state of the disk is unknown: the daemon exits and is restarted.
  { name: 'T-EIO-1: I/O error at sync', call: 'fdatasync,fsync', fault: 'error=EIO' },
  { name: 'T-EIO-1: I/O error at write', call: 'pwrite64', fault: 'error=EIO' },
];

/** The same folder with a daemon that is hit at the Nth of those calls. */
export function doomedWorld(state: string, { call, fault }: Blow, nth: number): World {
  const filter = ['-P', join(state, 'outlast.db-wal'), '-P', join(state, 'outlast.db')];
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault}:when=${nth}`];
  return new World({ state, wrap: ['strace', '-f', '-qq', '-o', '/dev/null', ...filter, ...inject] });
}
