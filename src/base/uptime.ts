import { uptime } from 'node:os';

/** Milliseconds since this machine was started, including sleep. The difference to `monotonicMs` is sleep. */
export function uptimeMs(): number {
  return uptime() * 1_000;
}
