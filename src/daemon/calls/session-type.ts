import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { terminalOf } from '../../supervisor/runs.ts';
import type { TerminalInput } from '../../terminal/terminal.ts';
import type { Parts } from '../serve/parts.ts';

/** Types what a person typed over a connection that has control. An input that came already is not typed again. */
export async function sessionType(
  { sessions, controls, terminals }: Parts,
  input: HandlerInput<'session.type'>,
): Promise<CallOutput<'session.type'>> {
  const { session } = sessions.find(input.session);
  const control = controls.find(session.id, input.control);
  const after = input.number + input.count;
  if (after <= control.next) return { taken: control.next };
  if (input.number !== control.next)
    throw new OutlastError('input_invalid', `number: input ${control.next} is next, not ${input.number}`);
  // Before it is sent: what may have arrived is not sent again.
  control.next = after;
  const typed = typedIn(input);
  if (typed !== null) await terminals[terminalOf(session)].write(control.ref, typed);
  return { taken: after };
}

function typedIn({ base64 = '', paste = '' }: HandlerInput<'session.type'>): TerminalInput | null {
  if (paste !== '') return { kind: 'paste', text: paste };
  return base64 === '' ? null : { kind: 'bytes', bytes: Buffer.from(base64, 'base64') };
}
