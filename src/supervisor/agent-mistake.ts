import { errnoOf, OutlastError } from '../base/errors.ts';
import type { Session } from '../core/session.ts';

/**
 * Reads what an agent has left. A mistake of its adapter costs its own session time: it must not end the daemon, which
 * would meet it again at every start. Nothing is lost: a look writes nothing, and what is ingested again is known.
 */
export async function ofItsAgent<T>({ spec }: Session, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    const isAdapter = spec.drive !== 'command' && errnoOf(cause) === '' && !(cause instanceof OutlastError);
    if (!isAdapter) throw cause;
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    throw new OutlastError('internal', `a bug in Outlast: cannot read ${spec.agent}: ${why}`, { cause });
  }
}
