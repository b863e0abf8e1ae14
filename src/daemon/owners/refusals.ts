import type { CallerProof } from '../../api/spawn-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { callerSession } from './owners.ts';

/** Refuses what would bypass a gate if the caller is an agent behind one. */
export function refuseBehindGate(
  { journal }: { readonly journal: Pick<Journal, 'find' | 'session'> },
  { caller }: { readonly caller?: CallerProof | undefined },
  said: Readonly<Record<string, boolean>>,
): void {
  const [flag] = Object.keys(said).filter((each) => said[each]);
  const me = flag === undefined ? null : callerSession(journal, caller);
  if (me?.spec.conversation?.gate === undefined) return;
  throw new OutlastError('decider_refused', `${nameOf(me)} is behind a gate and may not use ${flag}`);
}

/** Refuses what only works for an agent if the session is a command. */
export function refuseCommand(session: Session): void {
  if (session.spec.drive === 'command') {
    const name = nameOf(session);
    throw new OutlastError(
      'not_supported',
      `${name} runs a command, not an agent; \`outlast output ${name}\` reads it`,
    );
  }
}
