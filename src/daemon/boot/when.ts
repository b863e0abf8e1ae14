import type { Claim } from '../../agent/seam/conversations.ts';

/** When interruptions happened. Wall times. */
export interface Times {
  readonly nowMs: number;
  /** When the machine started. */
  readonly bootAtMs: number;
  /** The last sign of life before that; null: unknown, and it counts as just before the start. */
  readonly downAtMs: number | null;
  /** When it last went to sleep; null: it did not. */
  readonly sleptAtMs: number | null;
}

/** How long a tool may be silent while it works. */
const SILENT_MS_MAX = 3_600_000;

/** How long before its interruption a conversation was last active. One that was active since the boot stops now. */
export function agoMs(atMs: number, { nowMs, bootAtMs, downAtMs, sleptAtMs }: Times): number {
  if (atMs < bootAtMs) return Math.max(0, Math.min(downAtMs ?? bootAtMs, bootAtMs) - atMs);
  if (sleptAtMs !== null && atMs <= sleptAtMs) return sleptAtMs - atMs;
  return Math.max(0, nowMs - atMs);
}

/** True when it is too old. A process that was busy at the end may have been silent for longer. */
export function isStale(atMs: number, claim: Claim | null, times: Times, windowMs: number): boolean {
  const wasBusy = claim !== null && (claim.status === 'busy' || claim.status === 'waiting');
  return agoMs(atMs, times) > (wasBusy ? Math.max(windowMs, SILENT_MS_MAX) : windowMs);
}

/**
 * When the machine went down: the daemon's last sign of life, or a later one of a conversation. Null without a daemon:
 * the last conversation may have ended days before that.
 */
export function downAt(aliveAtMs: number | null, activeAtMs: readonly number[], bootAtMs: number): number | null {
  if (aliveAtMs === null || aliveAtMs >= bootAtMs) return null;
  return activeAtMs.reduce((lastMs, atMs) => (atMs < bootAtMs ? Math.max(lastMs, atMs) : lastMs), aliveAtMs);
}
