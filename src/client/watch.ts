import type { CallOutput } from '../api/contract.ts';
import type { SessionRow } from '../api/contract-list.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import type { Given } from './given.ts';
import { DaemonLost, Outage } from './lost.ts';

/**
 * One change of a live list. `lost`: the connection broke. `stopped`: the daemon was stopped. After both the whole list
 * comes again, up to the next `complete`: what it does not name was removed.
 */
export type WatchLine =
  | { readonly is: 'row'; readonly row: SessionRow }
  | { readonly is: 'gone'; readonly id: string }
  | { readonly is: 'complete' | 'lost' | 'stopped' };

const PAUSE_MS = 50;

/** Lists sessions and follows changes, without end; it survives the daemon, and says when it is lost. */
export async function* watchSessions(
  transport: Transport,
  clock: Clock,
  input: Given<'session.watch'>,
  signal?: AbortSignal,
): AsyncGenerator<WatchLine, void, void> {
  const outage = new Outage(clock, { unstarted: true, frozen: true, tell: transport.tell });
  for (let isLive = false; ; ) {
    try {
      for await (const line of transport.follow('session.watch', input, signal)) {
        isLive = true;
        yield* known(line);
      }
      // A daemon that shuts down ends it without an error.
      if (isLive) yield { is: 'stopped' };
      await clock.sleep(PAUSE_MS, signal);
      signal?.throwIfAborted();
    } catch (error) {
      if (isLive && error instanceof DaemonLost) yield { is: 'lost' };
      await outage.next(error, signal);
    }
    isLive = false;
  }
}

/** A line of a kind that this client knows. */
function* known({ is, row, id }: CallOutput<'session.watch'>): Generator<WatchLine, void, void> {
  if (is === 'row' && row !== undefined) yield { is, row };
  else if (is === 'gone' && id !== undefined) yield { is, id };
  else if (is === 'complete') yield { is };
}
