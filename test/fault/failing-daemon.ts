import { join } from 'node:path';
import { World } from '../world.ts';

/** A fault, and the system call of the journal at which it is injected. */
export interface InjectedFault {
  readonly name: string;
  readonly call: string;
  readonly fault: string;
}

/** The kernel kills the daemon at a write or a sync of its journal, or makes that fail. */
export const INJECTED_FAULTS: readonly InjectedFault[] = [
  { name: 'T-CRASH-1: killed at write', call: 'pwrite64', fault: 'signal=SIGKILL' },
  { name: 'T-CRASH-1: killed at sync', call: 'fdatasync,fsync', fault: 'signal=SIGKILL' },
  // After a failed sync the contents of the disk are unknown: the daemon exits and is restarted.
  { name: 'T-EIO-1: I/O error at sync', call: 'fdatasync,fsync', fault: 'error=EIO' },
  { name: 'T-EIO-1: I/O error at write', call: 'pwrite64', fault: 'error=EIO' },
];

/** A world on an existing state folder, with a daemon into which the fault is injected at the Nth of those calls. */
export function failingWorld(state: string, { call, fault }: InjectedFault, nth: number): World {
  const filter = ['-P', join(state, 'outlast.db-wal'), '-P', join(state, 'outlast.db')];
  const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:${fault}:when=${nth}`];
  return new World({ state, wrap: ['strace', '-f', '-qq', '-o', '/dev/null', ...filter, ...inject] });
}
