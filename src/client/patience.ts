import type { SessionView } from '../api/shapes.ts';
import type { Clock } from '../base/clock.ts';
import { enduring, Outage } from './lost.ts';

/** Says whether a wait is over. */
export interface Answer {
  readonly met: string;
  readonly session: SessionView;
}

/** How long to wait, and where to report that it takes long. */
export interface Patience {
  readonly clock: Clock;
  readonly timeoutMs: number | undefined;
  readonly tell?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MS = 50;

/**
 * Waits exactly as long as requested. A daemon that shuts down answers early, one that dies does not answer at all, and
 * a new one would start counting from zero: the wait continues over all of them.
 */
export async function patiently<T extends Answer>(
  { clock, timeoutMs, tell, signal }: Patience,
  ask: (timeoutMs: number | undefined) => Promise<T>,
): Promise<T> {
  const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + timeoutMs;
  const outage = new Outage(clock, { untilMs, unstarted: true, tell });
  const left = (): number => Math.max(0, Math.round(untilMs - clock.steadyMs()));
  for (let isFirst = true; ; isFirst = false) {
    try {
      const answer = await ask(timeoutMs === undefined || isFirst ? timeoutMs : left());
      const { phase, held } = answer.session;
      const isFinal = answer.met !== 'nothing' || phase === 'ended' || held !== null;
      if (isFinal || clock.steadyMs() >= untilMs) return answer;
    } catch (error) {
      await outage.next(error, signal);
      continue;
    }
    await clock.sleep(Math.min(PAUSE_MS, untilMs - clock.steadyMs()), signal);
    signal?.throwIfAborted();
  }
}

/** Gets what a wait must know before it begins, with the same patience: also from a daemon whose process is stopped. */
export function knownFirst<T>({ clock, timeoutMs, tell, signal }: Patience, ask: () => Promise<T>): Promise<T> {
  const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + timeoutMs;
  return enduring(new Outage(clock, { untilMs, unstarted: true, frozen: true, tell }), ask, signal);
}
