import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import type { Parts } from '../serve/parts.ts';
import { viewOf } from '../views/view.ts';
import { running } from '../waits/running.ts';

/** Changes the size of the terminal. */
export async function sessionResize(
  parts: Parts,
  input: HandlerInput<'session.resize'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.resize'>> {
  const session = await running(parts, input.session, signal);
  if (terminalOf(session) === 'pipe')
    throw new OutlastError('not_supported', 'a pipe has no size; use --pty or --tmux');
  parts.sessions.submit(session, { type: 'write', what: 'size', bytes: 0 });
  await parts.terminals[terminalOf(session)].resize(refOf(session), { columns: input.columns, rows: input.rows });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}
