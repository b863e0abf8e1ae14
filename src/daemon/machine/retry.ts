import { statSync } from 'node:fs';
import type { OutputFiles } from '../../terminal/output.ts';

const PAUSE_MS_MAX = 60_000;
const PAUSES = [
  { quietMs: 15_000, pauseMs: 5_000 },
  { quietMs: 60_000, pauseMs: 10_000 },
  { quietMs: 180_000, pauseMs: 30_000 },
] as const;

/** When to poll again without waiting: the longer a session is silent, the less often. */
export function retryInMs(quietMs: number): number {
  return PAUSES.find((each) => quietMs < each.quietMs)?.pauseMs ?? PAUSE_MS_MAX;
}

/** How long nothing was printed, for display: by the wall clock. */
export function quietMs({ output }: OutputFiles, nowMs: number): number {
  return Math.max(0, nowMs - (statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? nowMs));
}
