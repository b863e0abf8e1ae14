import { uptime } from 'node:os';

/** Milliseconds since this machine was started, those it slept included. What `monotonicMs` lacks of it is sleep. */
export function uptimeMs(): number {
  return uptime() * 1_000;
}
