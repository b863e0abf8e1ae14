import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { interruptRun } from '../../terminal/end.ts';
import type { Parts } from '../serve/parts.ts';
import { viewOf } from '../views/view.ts';
import { running } from '../waits/running.ts';
import { interruptTurn } from '../waits/until.ts';

/** Ctrl-C: the byte on a terminal, the signal on a pipe. An agent's turn is interrupted in its own way. */
export async function sessionInterrupt(
  parts: Parts,
  input: HandlerInput<'session.interrupt'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.interrupt'>> {
  const session = await running(parts, input.session, signal);
  if (session.spec.drive !== 'command') {
    await interruptTurn(parts, session, signal);
    return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
  }
  parts.sessions.submit(session, { type: 'write', what: 'interrupt', bytes: 0 });
  if (terminalOf(session) === 'pipe') interruptRun(parts.config.state, refOf(session));
  else await parts.terminals[terminalOf(session)].write(refOf(session), { kind: 'bytes', bytes: Uint8Array.of(3) });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}
