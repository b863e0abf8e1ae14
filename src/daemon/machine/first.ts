import { readlinkSync } from 'node:fs';
import { uptimeMs } from '../../base/uptime.ts';
import { bootId, identityOf } from '../../terminal/processes.ts';

/** The kernel counts start times in hundredths of a second. */
const TICK_MS = 10;

/**
 * The start time of the first process, as the kernel shows it; empty where it is not readable. A restarted container
 * has another one in the same boot.
 */
export function firstStart(): string {
  return identityOf(1)?.start ?? '';
}

/** The name of this start of the machine, or of the container, for comparison in src/core/boot.ts. */
export function bootName(): string {
  return [bootId(), pidNamespace(), firstStart()].join('/');
}

/** The number of the pid namespace; empty where it is not readable. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}

/** The wall time at which this machine, or the container, started. */
export function startedAtMs(nowMs: number, start: string = firstStart()): number {
  const ticks = /^\d+$/.test(start) ? Number(start) : 0;
  return Math.floor(nowMs - Math.max(0, uptimeMs() - ticks * TICK_MS));
}
