import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { person } from '../../core/actor.ts';
import { nameOf } from '../../core/name.ts';
import { isDormant } from '../../core/next-dormant.ts';
import type { Session } from '../../core/session.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { runFolder } from '../../terminal/run-folder.ts';
import { readIfThere } from '../../terminal/small-file.ts';
import type { Parts } from '../serve/parts.ts';
import { refusalOfScreens } from '../start/refusals.ts';
import { interruptTurn, until } from '../waits/until.ts';

/** When to look for a person who attaches: they arrive within this time. */
const COMING_MS = [50, 200, 500, 1_000, 2_000, 4_000] as const;
/** A turn may take hours; a person who attaches waits, or interrupts it. */
const TURN_MS_MAX = 24 * 3_600_000;
const OPEN_MS_MAX = 60_000;

/** The phases without a process in the conversation. */
const VISITABLE: readonly string[] = ['idle', 'held', 'limited'];

/** The command that attaches a person to the session's terminal. A session between turns gets a process for it. */
export async function sessionAttach(
  parts: Parts,
  input: HandlerInput<'session.attach'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.attach'>> {
  const { session } = parts.sessions.find(input.session);
  if (session.spec.drive === 'server') return screenOf(parts, session, input, signal);
  const isTurns = session.spec.drive === 'turns';
  const agent = parts.agents[session.spec.agent];
  if (isTurns && agent?.configured !== undefined && agent.live === undefined)
    throw new OutlastError('not_supported', `${nameOf(session)} has no screen: its agent has no "live" in the config`);
  const ready = isTurns ? await visited(parts, session, input, signal) : await started(parts, session, signal);
  const { argv, detach } = await parts.terminals[terminalOf(ready)].attach(refOf(ready), input.readOnly);
  if (!input.readOnly) lookForPerson(parts, ready);
  return { argv: [...argv], detach };
}

/** The agent's own screen, as a second client of the server that runs. It takes no control: prompts do not wait. */
async function screenOf(
  parts: Parts,
  session: Session,
  { readOnly }: HandlerInput<'session.attach'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.attach'>> {
  const name = nameOf(session);
  const server = parts.agents[session.spec.agent]?.server;
  const help = `there is no screen to attach to; read it with: outlast turn ${name}`;
  if (server?.screen === undefined) throw refusalOfScreens(session, help);
  // A call that is allowed there was not allowed by its gate: it would count as a breach.
  if (session.spec.conversation?.gate?.mode === 'gate')
    throw refusalOfScreens(session, `its own screen would bypass its gate; decide with: outlast approvals`);
  const ready = await started(parts, session, signal);
  const { id } = ready.conversation;
  if (isDormant(ready))
    throw new OutlastError('session_busy', `${name} is idle without a process; a prompt starts one`);
  if (id === null || !['idle', 'working', 'blocked'].includes(ready.phase.at))
    throw new OutlastError('session_busy', `${name} has no running agent (${ready.phase.at})`);
  const { folder, port, password: passwordFile } = runFolder(parts.config.state, refOf(ready));
  const isBegun = ready.turn.last !== null || ready.phase.at !== 'idle';
  const place = { folder, port: Number(readIfThere(port)) || null, passwordFile, conversation: id, isBegun, readOnly };
  const screen = server.screen(place);
  if ('refused' in screen) throw new OutlastError('not_supported', `${name} cannot be attached to: ${screen.refused}`);
  return { argv: [...screen.argv], detach: screen.detach };
}

/** Waits for a terminal that is about to be opened. */
async function started(parts: Parts, session: Session, signal: AbortSignal): Promise<Session> {
  const now = (): Session => parts.sessions.find(session.id).session;
  const isServer = session.spec.drive === 'server';
  if (terminalOf(session) === 'pipe' && !isServer) return session;
  const before = ['queued', 'opening', 'recovering', ...(isServer ? ['starting'] : [])];
  const isThere = (): boolean => !before.includes(now().phase.at);
  const what = `${nameOf(session)} to be started`;
  await until(parts, isThere, { what, signal, msMax: TURN_MS_MAX });
  return now();
}

/** Looks for the person, who takes control: the sooner it is noticed, the better. */
function lookForPerson({ clock, nudge }: Parts, { id, spec }: Session): void {
  if (spec.drive === 'command') return;
  for (const ms of COMING_MS) void clock.sleep(ms).then(() => nudge(id));
}

/** Opens the agent's own screen for a session in the turns drive. */
async function visited(
  parts: Parts,
  session: Session,
  input: HandlerInput<'session.attach'>,
  signal: AbortSignal,
): Promise<Session> {
  const { sessions } = parts;
  const now = (): Session => sessions.find(session.id).session;
  const name = nameOf(session);
  if (input.readOnly && now().phase.at !== 'visited') {
    throw new OutlastError(
      'not_supported',
      `${name} has no screen to watch between turns; see outlast output ${name} --follow`,
    );
  }
  if (now().phase.at === 'working' && input.interrupt) await interruptTurn(parts, now(), signal);
  const isFree = (): boolean => [...VISITABLE, 'visited', 'ended'].includes(now().phase.at);
  await until(parts, isFree, { what: `the turn of ${name} to end`, signal, msMax: TURN_MS_MAX });
  if (VISITABLE.includes(now().phase.at)) sessions.submit(now(), { type: 'visit', by: person(null) });
  // A screen that cannot be opened leaves the session unchanged.
  const isOpen = (): boolean =>
    ['visited', 'ended', 'recovering'].includes(now().phase.at) || !now().attendance.visitWanted;
  await until(parts, isOpen, { what: `the screen of ${name}`, signal, msMax: OPEN_MS_MAX });
  if (now().phase.at !== 'visited')
    throw new OutlastError('session_ended', `${name} cannot be opened (${now().phase.at})`);
  return now();
}
