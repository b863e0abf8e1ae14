import { errnoOf, OutlastError } from '../../base/errors.ts';
import { exitStatus, runIdentities } from '../../terminal/look.ts';
import { isAlive } from '../../terminal/processes.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import type { WireParts } from './parts.ts';

/** A process that just started is tried often, a slow one rarely. */
const RETRY_MS_MIN = 10;
const RETRY_MS_MAX = 1_000;

/**
 * Connects, and reconnects when the connection breaks, for as long as the process lives. `connect` resolves when a
 * connection has ended: 'later' if there was none.
 */
export async function keepConnected(
  parts: WireParts,
  connect: () => Promise<'over' | 'later'>,
  signal: AbortSignal,
): Promise<void> {
  await tryAgain(parts, signal, async () => (isGone(parts) ? 'done' : connect()));
}

/**
 * Retries until it succeeds, at growing intervals. Temporary refusals of the system, such as too many open files, are
 * retried too.
 */
export async function tryAgain(
  { clock }: Pick<WireParts, 'clock'>,
  signal: AbortSignal,
  once: () => Promise<'done' | 'over' | 'later'>,
): Promise<void> {
  for (let pauseMs = RETRY_MS_MIN; !signal.aborted; ) {
    const was = await once().catch((error: unknown) => {
      if (errnoOf(error) === '' && !(error instanceof OutlastError)) throw error;
      return 'later' as const;
    });
    if (was === 'done') return;
    pauseMs = was === 'over' ? RETRY_MS_MIN : Math.min(pauseMs * 1.5, RETRY_MS_MAX);
    await clock.sleep(pauseMs, signal);
  }
}

/** Has its process ended for good? Before it has recorded its pid, it is still starting. */
export function isGone({ state, ref }: WireParts): boolean {
  if (exitStatus(runFolder(state, ref)) !== null) return true;
  const { command } = runIdentities(state, ref);
  return command !== null && !isAlive(command);
}
