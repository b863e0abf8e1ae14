import { checkPrompt, driveOf, knownAgent } from '../../agent/known.ts';
import { isSameText, type TurnRead } from '../../agent/seam/record.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { byHost } from '../../core/actor.ts';
import { inputId } from '../../core/cause.ts';
import { nameOf } from '../../core/name.ts';
import type { PromptId, Session } from '../../core/session.ts';
import { TranscriptReader, turnsOf } from '../../supervisor/transcript-reader.ts';
import { placeAt } from '../journal/cursor.ts';
import { actorOf, namedActor } from '../owners/actors.ts';
import { callerSession } from '../owners/owners.ts';
import { refuseResume } from '../start/spawn-start.ts';
import { trustOf } from '../start/trust.ts';
import { viewOf } from '../views/view.ts';
import { reply } from '../waits/replies.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import type { Parts } from './parts.ts';

/** Of a transcript, so much is read for people. */
const TRANSCRIPT_BYTES_MAX = 256 * 1024 * 1024;
/** An agent writes a turn down within this, or it is not waited for. */
const WRITTEN_MS_MAX = 3_000;
const WRITTEN_LOOK_MS = 25;
/** How long an interrupted turn may take to end before the caller is told that it has not. */
const INTERRUPT_MS_MAX = 10_000;

/** Gives an agent a prompt. It is durable when this returns; when it is sent is up to the agent. */
export function prompt(parts: Parts, input: HandlerInput<'session.prompt'>): CallOutput<'session.prompt'> {
  const { sessions, journal, clock } = parts;
  const { session } = sessions.find(input.session);
  refuseCommand(session);
  const drive = driveOf(knownAgent(parts.agents, session.spec.agent), session.spec.drive);
  refuseBehindGate(parts, input, { '--command': input.asCommand });
  checkPrompt(drive, input.text, input.asCommand);
  const isCommand = session.spec.drive === 'live' && drive.isCommand(input.text);
  const id = (input.key ?? newId(clock.wallMs())) as PromptId;
  const cause = inputId('prompt', session.id, id);
  sessions.take(session, { type: 'prompt', prompt: id, text: input.text, now: input.now, command: isCommand }, cause);
  return {
    session: viewOf(parts.config.state, sessions.find(session.id)),
    prompt: id,
    ...placeAt(journal, journal.head()),
  };
}

/** Waits for a reply. Whoever waited for the result and is gone without a word leaves an end to be announced. */
export async function awaitReply(
  parts: Parts,
  input: HandlerInput<'session.reply'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.reply'>> {
  const { callers } = parts.sessions;
  if (input.owner) callers.came(parts.sessions.find(input.session).session.id);
  const replied = await reply(parts, input, signal);
  const { session } = parts.sessions.find(input.session);
  if (input.owner && signal.aborted && session.phase.at !== 'ended') {
    parts.sessions.take(session, { type: 'background', by: byHost('caller-left') });
  }
  return replied;
}

/** Takes back a prompt that was not sent, or of which nobody knows. */
export function drop(parts: Parts, input: HandlerInput<'session.drop'>): CallOutput<'session.drop'> {
  const { session } = parts.sessions.find(input.session);
  parts.sessions.take(session, {
    type: 'drop',
    prompt: input.prompt as PromptId,
    by: actorOf(parts.journal, input, session),
  });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}

/** Reads a turn of the conversation from the agent's own transcript. */
export async function turn(parts: Parts, input: HandlerInput<'session.turn'>): Promise<CallOutput<'session.turn'>> {
  // What has ended by now writes nothing more.
  const { session, live } = parts.sessions.find(input.session);
  refuseCommand(session);
  const agent = knownAgent(parts.agents, session.spec.agent);
  await untilWritten(parts, session);
  const all = await turnsOf(parts.config.state, session, agent, TRANSCRIPT_BYTES_MAX);
  const named = input.prompt === undefined ? null : turnOf(parts, session, input.prompt, all);
  const number = named ?? (input.number < 0 ? all.length + 1 + input.number : input.number);
  const wanted = all[number - 1];
  if (wanted === undefined) {
    const name = nameOf(session);
    throw new OutlastError('turn_unknown', `${name} has no turn ${input.number}; it has ${all.length}`);
  }
  return { number, count: all.length, markdown: wanted.markdown(input.full), ended: !live, turn: { ...wanted.data } };
}

/** A reply is known before it is written down. Whoever asks for it gets the whole turn, if it comes soon. */
async function untilWritten({ clock, agents, config }: Parts, session: Session): Promise<void> {
  const agent = knownAgent(agents, session.spec.agent);
  const { last } = session.turn;
  if (last === null) return;
  const transcriptReader = new TranscriptReader(config.state);
  const deadlineMs = clock.steadyMs() + WRITTEN_MS_MAX;
  while (!(await transcriptReader.isWritten(session, agent, last.said)) && clock.steadyMs() < deadlineMs) {
    await clock.sleep(WRITTEN_LOOK_MS);
  }
}

/** The turn that a prompt of ours began, by its text: the newest one. */
function turnOf({ journal, agents }: Parts, session: Session, prompt: string, all: readonly TurnRead[]): number {
  const { record } = knownAgent(agents, session.spec.agent);
  const given = journal.session(session.id).events.flatMap(({ body }) => {
    const isIt = (body.type === 'prompt.queued' || body.type === 'session.followed') && 'prompt' in body;
    return isIt && body.prompt === prompt ? [body.text] : [];
  });
  const text = session.turn.last?.prompt === prompt ? session.turn.last.text : given.at(-1);
  if (text === undefined)
    throw new OutlastError('prompt_unknown', `${session.id} was never given the prompt "${prompt}"`);
  return record === undefined ? 0 : all.findLastIndex((turn) => isSameText(record, text, turn.prompt)) + 1;
}

/** Brings an ended session back, on the same conversation, or lets one go on that is held for a word, or limited. */
export function resume(parts: Parts, input: HandlerInput<'session.resume'>): CallOutput<'session.resume'> {
  const { sessions, journal, config, clock } = parts;
  const { session } = sessions.find(input.session);
  // A command that was never started is held like any other when its journal was restored.
  if (session.phase.at !== 'held') refuseCommand(session);
  const me = callerSession(journal, input.caller);
  if (me !== null) refuseResume(parts, me, session);
  refuseBehindGate(parts, input, { '--trust': input.trust });
  const { name } = session.spec;
  if (session.phase.at === 'held' && session.phase.why.word !== true) {
    const who = name ?? session.id;
    const isUnknown = session.phase.why.kind === 'unknown';
    const why = isUnknown
      ? `${who} shows something that we do not know; look at it, Ctrl-L draws it again, and what is known goes on`
      : `a dialog of ${who} is open; answer it`;
    throw new OutlastError('not_supported', `${why}: outlast attach ${who}`);
  }
  const other = name === null ? null : journal.find(name);
  if (other?.live && other.session.id !== session.id) {
    throw new OutlastError('name_taken', `a session named "${name}" is live`);
  }
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
  sessions.take(session, { type: 'resume', by: actorOf(parts.journal, input, session), anew: input.anew });
  return { session: viewOf(config.state, sessions.find(session.id)), ...placeAt(journal, journal.head()) };
}

/** Gives control to a person, or takes it back. */
export function handoff(parts: Parts, input: HandlerInput<'session.handoff'>): CallOutput<'session.handoff'> {
  const { session } = parts.sessions.find(input.session);
  refuseCommand(session);
  parts.sessions.take(session, {
    type: input.back ? 'hand-back' : 'hand-off',
    by: actorOf(parts.journal, input, session),
  });
  return { session: viewOf(parts.config.state, parts.sessions.find(session.id)) };
}

/** Ends the turn that is running, and waits until it is over. */
export async function interruptTurn(parts: Parts, session: Session, signal: AbortSignal): Promise<void> {
  parts.sessions.take(session, { type: 'interrupt', by: namedActor('caller') });
  const isOver = (): boolean => parts.sessions.find(session.id).session.turn.interrupting === null;
  await until(parts, isOver, { what: `the turn of ${nameOf(session)} to end`, signal });
}

/** Waits for something that the journal tells. */
export async function until(
  parts: Parts,
  isSo: () => boolean,
  { what, signal, msMax = INTERRUPT_MS_MAX }: { what: string; signal: AbortSignal; msMax?: number },
): Promise<void> {
  const deadlineMs = parts.clock.steadyMs() + msMax;
  while (!isSo() && !signal.aborted) {
    if (parts.clock.steadyMs() >= deadlineMs) throw new OutlastError('timed_out', `waited ${msMax} ms for ${what}`);
    await waitForChange(parts, { session: null, files: [] }, isSo, signal, deadlineMs - parts.clock.steadyMs());
  }
}

/** What would get past a gate is not for an agent that is behind one itself. */
function refuseBehindGate(
  { journal }: Parts,
  { caller }: Pick<HandlerInput<'session.prompt'>, 'caller'>,
  said: Readonly<Record<string, boolean>>,
): void {
  const [flag] = Object.keys(said).filter((each) => said[each]);
  const me = flag === undefined ? null : callerSession(journal, caller);
  if (me?.spec.conversation?.gate === undefined) return;
  throw new OutlastError('decider_refused', `${nameOf(me)} is behind a gate and may not say ${flag}`);
}

function refuseCommand({ spec, id }: Session): void {
  if (spec.drive === 'command') {
    throw new OutlastError('not_supported', `${spec.name ?? id} is a command: it has no conversation`);
  }
}
