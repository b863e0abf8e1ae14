import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { actorText } from '../../core/actor.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import type { Control } from '../control/controls.ts';
import { namedActor } from '../owners/actors.ts';
import type { Parts } from '../serve/parts.ts';
import { refusalOfScreens } from '../start/refusals.ts';
import { running } from '../waits/running.ts';
import { until } from '../waits/until.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

/** The run monitor looks at a session this often at the latest; then it is seen that somebody has come. */
const TAKEN_MS_MAX = 15_000;

/**
 * Control of a terminal for as long as this connection lives. When it ends, however it does, control goes back, and the
 * terminal gets the size that it had.
 */
export async function* sessionControl(
  parts: Parts,
  input: HandlerInput<'session.control'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.control'>> {
  const session = await running(parts, input.session, signal);
  const control = await taken(parts, session, actorText(namedActor(input.by)));
  try {
    await recorded(parts, session, signal);
    if (signal.aborted) return;
    yield { control: control.id };
    await over(parts, session, signal);
  } finally {
    await givenBack(parts, session, control);
  }
  yield { ended: true };
}

async function taken({ terminals, controls }: Parts, session: Session, by: string): Promise<Control> {
  const name = nameOf(session);
  const ref = refOf(session);
  if (session.spec.drive === 'server')
    throw refusalOfScreens(session, `it accepts no keys; give it a prompt: outlast prompt ${name}`);
  if (session.phase.at === 'ended') throw new OutlastError('session_ended', `${name} has ended`);
  const kind = terminalOf(session);
  if (kind === 'pipe') throw new OutlastError('not_supported', `${name} has no terminal to type at`);
  const terminal = terminals[kind];
  const { is } = await terminal.look(ref);
  if (is !== 'alive') throw new OutlastError('input_closed', `the terminal of ${name} is ${is}`);
  const people = await terminal.viewers(ref);
  // Somebody with a connection is named by the refusal of the next line.
  if (people > controls.count(session.id))
    throw new OutlastError('session_busy', `a person is attached to ${name}, and types there`);
  return controls.take(ref, by);
}

/** Waits until the journal says that a person has control: before that, a prompt could be typed in between. */
async function recorded(parts: Parts, session: Session, signal: AbortSignal): Promise<void> {
  if (session.spec.drive === 'command') {
    parts.sessions.submit(session, { type: 'write', what: 'keys', bytes: 0 });
    return;
  }
  const isTaken = (): boolean => parts.sessions.find(session.id).session.attendance.control !== null;
  parts.nudge(session.id);
  await until(parts, isTaken, { what: `control of ${nameOf(session)}`, signal, msMax: TAKEN_MS_MAX });
}

/** Resolves when the connection or the run is over. */
async function over(parts: Parts, { id, run }: Session, signal: AbortSignal): Promise<void> {
  const isOver = (): boolean => {
    const { session, live } = parts.sessions.find(id);
    return !live || session.run?.number !== run?.number;
  };
  while (!signal.aborted && !isOver()) await waitForChange(parts, { session: id, files: [] }, isOver, signal);
}

async function givenBack(parts: Parts, session: Session, control: Control): Promise<void> {
  const { sizeBefore, ref } = control;
  parts.controls.release(control);
  // A terminal that is gone needs no size.
  if (sizeBefore !== null)
    await parts.terminals[terminalOf(session)].resize(ref, sizeBefore).catch((error) => {
      parts.log('the size of a terminal could not be restored', { session: session.id, why: String(error) });
    });
  parts.nudge(session.id);
}
