import type { Claim } from '../../agent/seam/conversations.ts';

/** When things stopped. Wall times. */
export interface Times {
  readonly nowMs: number;
  /** The machine started. */
  readonly bootAtMs: number;
  /** The last sign of life before that; null: nobody knows, and it counts as just before the start. */
  readonly downAtMs: number | null;
  /** It last went to sleep; null: it did not. */
  readonly sleptAtMs: number | null;
}

/** A tool may be silent for so long in the middle of its work. */
const SILENT_MS_MAX = 3_600_000;

/** How long before its interruption a conversation was last active. What goes on since the boot stops now. */
export function agoMs(atMs: number, { nowMs, bootAtMs, downAtMs, sleptAtMs }: Times): number {
  if (atMs < bootAtMs) return Math.max(0, Math.min(downAtMs ?? bootAtMs, bootAtMs) - atMs);
  if (sleptAtMs !== null && atMs <= sleptAtMs) return sleptAtMs - atMs;
  return Math.max(0, nowMs - atMs);
}

/** Does it lie too far back? A process that was at work until its end may have been silent for longer. */
export function isStale(atMs: number, left: Claim | null, times: Times, windowMs: number): boolean {
  const wasBusy = left !== null && (left.status === 'busy' || left.status === 'waiting');
  return agoMs(atMs, times) > (wasBusy ? Math.max(windowMs, SILENT_MS_MAX) : windowMs);
}

/**
 * When the machine went down: the daemon's last sign of life, or a later one of a conversation. Without a daemon then,
 * the last conversation may have been over for days: nobody knows.
 */
export function downAt(aliveAtMs: number | null, activeAtMs: readonly number[], bootAtMs: number): number | null {
  if (aliveAtMs === null || aliveAtMs >= bootAtMs) return null;
  return activeAtMs.reduce((lastMs, atMs) => (atMs < bootAtMs ? Math.max(lastMs, atMs) : lastMs), aliveAtMs);
}
