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
  const terminal = parts.terminals[terminalOf(session)];
  const ref = refOf(session);
  const control = input.control === undefined ? null : parts.controls.find(session.id, input.control);
  if (control === null && parts.controls.count(session.id) > 0)
    throw new OutlastError('session_busy', 'a person types at this terminal, and chooses its size');
  if (control !== null && control.sizeBefore === null) {
    const { columns, rows } = await terminal.screen(ref);
    control.sizeBefore = { columns, rows: rows.length };
  }
  parts.sessions.submit(session, { type: 'write', what: 'size', bytes: 0 });
  await terminal.resize(ref, { columns: input.columns, rows: input.rows });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}
