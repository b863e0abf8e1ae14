import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { nameOf } from '../../core/name.ts';
import { deciderOf } from '../owners/decider.ts';
import type { Parts } from '../serve/parts.ts';

/** The sessions in which a process runs, as the kernel shows it. */
export function daemonCaller(
  { journal }: Parts,
  { caller }: HandlerInput<'daemon.caller'>,
): CallOutput<'daemon.caller'> {
  const sessions = [...deciderOf(caller).inside].map((id) => {
    const found = journal.find(id);
    return { id, name: found === null ? id : nameOf(found.session) };
  });
  return { sessions };
}
