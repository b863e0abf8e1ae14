import type { SessionView } from '../../api/shapes.ts';
import { limitText, nameOf } from '../../present/state.ts';
import type { Context } from '../base/command.ts';

/** A limited session continues at most this long after the limit resets. */
const WAKE_MS_MAX = 5 * 60_000;

/** A timeout that is longer than the limit lasts, as a duration to type. */
export function throughTime({ limitedUntilMs }: SessionView, nowMs: number): string {
  const leftMs = Math.max((limitedUntilMs ?? nowMs) - nowMs, 0) + 2 * WAKE_MS_MAX;
  return `${Math.ceil(leftMs / 60_000)}m`;
}

interface Answer {
  readonly met: string;
  readonly session: SessionView;
}

/** How long a wait may take, and whether it returns at a usage limit. */
export interface Patience {
  readonly timeoutMs: number | undefined;
  readonly throughLimits?: true;
}

type Waiting = Pick<Context, 'print' | 'clock'>;

/**
 * Waits for an answer. A usage limit on the way is printed once; the wait continues when there is time for it. Without
 * a timeout there is always time, if the caller `endures`.
 */
export async function throughLimit<T extends Answer>(
  { print, clock }: Waiting,
  { timeoutMs, endures }: { timeoutMs: number | undefined; endures: boolean },
  ask: (patience: Patience) => Promise<T>,
): Promise<T> {
  const sinceMs = clock.steadyMs();
  const first = await ask({ timeoutMs });
  if (first.met !== 'limited') return first;
  const lastsMs = (first.session.limitedUntilMs ?? 0) - clock.wallMs() + WAKE_MS_MAX;
  const leftMs = timeoutMs === undefined ? undefined : Math.round(timeoutMs - (clock.steadyMs() - sinceMs));
  const isTime = leftMs === undefined ? endures : leftMs > lastsMs;
  if (!isTime) return first;
  // A spinner may be on the line.
  if (print.stderr.isTty) await print.stderr.write('\r\x1b[K');
  await print.note(`outlast: ${nameOf(first.session)} is ${limitText(first.session, clock.wallMs())}; waiting`);
  return ask({ timeoutMs: leftMs, throughLimits: true });
}
