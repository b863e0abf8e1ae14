import type { Clock } from '../../client/clock.ts';
import type { Outlast, WatchLine } from '../../client/index.ts';

const AGAIN_MS = 1_000;

/** The two ways to reach the daemon: one starts it when it is not there, the other does not. */
export interface Clients {
  readonly starting: Outlast;
  readonly patient: Outlast;
}

/**
 * Follows the sessions without end. A daemon that died is started again; one that somebody stopped stays stopped, and
 * the list continues when it is back.
 */
export async function* followSessions(
  { starting, patient }: Clients,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<WatchLine, void, void> {
  for (let client = starting; !signal.aborted; ) {
    try {
      for await (const line of client.watch({}, signal)) {
        yield line;
        if (line.is === 'complete') client = starting;
        if (line.is !== 'stopped') continue;
        client = patient;
        break;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (client !== patient || !isUnreachable(error)) throw error;
      await clock.sleep(AGAIN_MS, signal);
    }
  }
}

/** By its code: this program is a bundle of its own, with its own class of errors. */
function isUnreachable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'daemon_unreachable';
}
