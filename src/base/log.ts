import { appendFileSync, renameSync, statSync } from 'node:fs';
import type { Clock } from './clock.ts';

/** Diagnostic lines for people. Never read by code. */
export type Log = (line: string, more?: Readonly<Record<string, unknown>>) => void;

/** A longer log starts a new file; the previous one is kept. */
const LOG_BYTES_MAX = 10 * 1024 * 1024;

/** Appends one JSON line per fact to a file. A log that cannot be written stops nothing. */
export function fileLog(path: string, clock: Clock): Log {
  let lines = 0;
  return (line, more = {}) => {
    try {
      if (lines % 1_000 === 0) turnOver(path);
      lines += 1;
      appendFileSync(path, `${JSON.stringify({ ts: new Date(clock.wallMs()).toISOString(), line, ...more })}\n`, {
        mode: 0o600,
      });
    } catch {
      // The log itself failed, so there is no place to report it.
    }
  };
}

function turnOver(path: string): void {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes > LOG_BYTES_MAX) renameSync(path, `${path}.1`);
}
