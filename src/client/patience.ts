import type { SessionView } from '../api/shapes.ts';
import type { Clock } from '../base/clock.ts';
import { enduring, Outage } from './lost.ts';

/** What says whether a wait is over. */
export interface Answer {
  readonly met: string;
  readonly session: SessionView;
}

/** How long to wait, and whom to tell that it takes long. */
export interface Patience {
  readonly clock: Clock;
  readonly timeoutMs: number | undefined;
  readonly tell?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PAUSE_MS = 50;

/**
 * Waits as long as was asked for, and no longer: a daemon that leaves in the middle answers early, one that dies does
 * not answer at all, and one that is asked anew would begin to count again. However many of them die, the wait goes on.
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

/** What a wait has to know before it begins, asked for as patiently: also of a daemon whose process is stopped. */
export function knownFirst<T>({ clock, timeoutMs, tell, signal }: Patience, ask: () => Promise<T>): Promise<T> {
  const untilMs = timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + timeoutMs;
  return enduring(new Outage(clock, { untilMs, unstarted: true, frozen: true, tell }), ask, signal);
}
