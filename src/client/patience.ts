import type { SessionView } from '../api/shapes.ts';
import type { Clock } from '../base/clock.ts';

interface Answer {
  readonly met: string;
  readonly session: SessionView;
}

const PAUSE_MS = 50;

/**
 * Waits as long as was asked for, and no longer: a daemon that leaves in the middle answers early, and one that is
 * asked anew would begin to count again.
 */
export async function patiently<T extends Answer>(
  clock: Clock,
  timeoutMs: number | undefined,
  ask: (timeoutMs: number | undefined) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + timeoutMs;
  for (let left = timeoutMs; ; left = Math.max(0, Math.round(untilMs - clock.steadyMs()))) {
    const answer = await ask(timeoutMs === undefined ? undefined : left);
    const { phase, held } = answer.session;
    const isFinal = answer.met !== 'nothing' || phase === 'ended' || held !== null;
    if (isFinal || clock.steadyMs() >= untilMs) return answer;
    await clock.sleep(Math.min(PAUSE_MS, untilMs - clock.steadyMs()), signal);
    signal?.throwIfAborted();
  }
}
