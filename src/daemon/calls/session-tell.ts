import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { inputId } from '../../core/cause.ts';
import { nameOf } from '../../core/name.ts';
import { callerSession } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';

/** Sends a session's message to its owner, as an update. */
export function sessionTell(parts: Parts, input: HandlerInput<'session.tell'>): CallOutput<'session.tell'> {
  const { journal, sessions, clock } = parts;
  const me = callerSession(journal, input.caller);
  const owner = me?.owner ?? null;
  if (me === null || owner === null) {
    const who = me === null ? 'this shell is not in a session' : `${nameOf(me)} has no owner`;
    throw new OutlastError('not_supported', `${who}: the message has no recipient`);
  }
  const { session } = sessions.find(owner.session);
  const who = me.spec.name === null ? me.id : `${me.id} (${me.spec.name})`;
  // The position that the update itself will have: it is the next event.
  const position = journal.head() + 1;
  const lines = input.text.split('\n').map((line) => `  | ${line}`);
  const cause = inputId('tell', me.id, input.key ?? newId(clock.wallMs()));
  const update = { from: me.id, position, event: 'session.told', isUrgent: owner.wake };
  const begunMs = me.updates.turnsBegun.at(-1)?.sinceMs ?? me.created.steadyMs;
  const text = [`- ${who} [${position}] says:`, ...lines, `  Answer it: outlast prompt ${me.id} "…"`].join('\n');
  sessions.submit(session, { type: 'update', ...update, text, begunMs }, cause);
  return { owner: session.id, wake: owner.wake };
}
