import { knownAgent } from '../../agent/known.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { placeAt } from '../journal/cursor.ts';
import { actorOf } from '../owners/actors.ts';
import { callerSession } from '../owners/owners.ts';
import { refuseBehindGate, refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';
import { refuseResume } from '../start/spawn-start.ts';
import { trustOf } from '../start/trust.ts';
import { planSwitch } from '../switch/plan.ts';
import { viewOf } from '../views/view.ts';

/** Resumes an ended session in the same conversation, or one that is held until it is resumed, or limited. */
export async function sessionResume(
  parts: Parts,
  input: HandlerInput<'session.resume'>,
): Promise<CallOutput<'session.resume'>> {
  const { sessions, journal, config, clock } = parts;
  const { session } = sessions.find(input.session);
  // A command that was never started is held too when its journal was restored.
  if (session.phase.at !== 'held') refuseCommand(session);
  const me = callerSession(journal, input.caller);
  if (me !== null) refuseResume(parts, me, session);
  refuseBehindGate(parts, input, { '--trust': input.trust });
  const { name } = session.spec;
  if (session.phase.at === 'held' && session.phase.why.needsResume !== true) {
    const who = nameOf(session);
    const isUnknown = session.phase.why.kind === 'unknown';
    const why = isUnknown
      ? `${who} shows a screen that Outlast does not recognize; look at it (Ctrl-L redraws it)`
      : `a dialog of ${who} is open; answer it`;
    throw new OutlastError('not_supported', `${why}: outlast attach ${who}`);
  }
  const other = name === null ? null : journal.find(name);
  if (other?.live && other.session.id !== session.id) {
    throw new OutlastError('name_taken', `a session named "${name}" is live`);
  }
  if (input.agent !== undefined && input.agent !== session.spec.agent) {
    await switchTo(parts, input, session, input.agent);
    return { session: viewOf(config.state, sessions.find(session.id)), ...placeAt(journal, journal.head()) };
  }
  refuseSettings(input);
  if (session.spec.drive !== 'command') {
    const { program } = knownAgent(parts.agents, session.spec.agent);
    trustOf({
      state: config.state,
      workspace: session.spec.workspace,
      ownFiles: program.ownFiles,
      says: input.trust,
      asks: session.spec.drive === 'live',
      nowMs: clock.wallMs(),
    });
  }
  sessions.submit(session, {
    type: 'resume',
    by: actorOf(parts.journal, input, session),
    startFresh: input.startFresh,
  });
  return { session: viewOf(config.state, sessions.find(session.id)), ...placeAt(journal, journal.head()) };
}

/** Another agent takes over. What it needs is planned first: a session that cannot be switched stays as it is. */
async function switchTo(
  parts: Parts,
  input: HandlerInput<'session.resume'>,
  session: Session,
  agent: string,
): Promise<void> {
  const { model, thinking, trust, startFresh } = input;
  refuseCommand(session);
  if (startFresh)
    throw new OutlastError('input_invalid', '--agent begins another conversation; leave out --start-fresh');
  const to = await planSwitch(parts, session, { agent, model, thinking, trust, why: 'asked' });
  parts.sessions.submit(session, { type: 'switch', by: actorOf(parts.journal, input, session), why: 'asked', to });
}

/** A session keeps its model and thinking level, unless another agent takes over. */
function refuseSettings({ model, thinking }: Pick<HandlerInput<'session.resume'>, 'model' | 'thinking'>): void {
  if (model === undefined && thinking === undefined) return;
  const why = '--model and --thinking need --agent NAME, the agent that takes over';
  throw new OutlastError('input_invalid', why);
}
