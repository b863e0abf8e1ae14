import { readlinkSync } from 'node:fs';
import { uptimeMs } from '../../base/uptime.ts';
import { bootId, identityOf } from '../../terminal/processes.ts';

/** The kernel counts starts in hundredths of a second. */
const TICK_MS = 10;

/**
 * When the first process started, in the kernel's own words; empty where nobody may know. A container that was started
 * anew has another one in the same boot.
 */
export function firstStart(): string {
  return identityOf(1)?.start ?? '';
}

/** The name of this start of the machine, or of the container we are in, as src/core/boot.ts compares it. */
export function bootName(): string {
  return [bootId(), pidNamespace(), firstStart()].join('/');
}

/** The number of the pid namespace; empty where nobody may know. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
}

/** The wall time at which this machine, or the container we are in, was started. */
export function startedAtMs(nowMs: number, start: string = firstStart()): number {
  const ticks = /^\d+$/.test(start) ? Number(start) : 0;
  return Math.floor(nowMs - Math.max(0, uptimeMs() - ticks * TICK_MS));
}
