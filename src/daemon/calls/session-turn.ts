import { knownAgent } from '../../agent/known.ts';
import { isSameText } from '../../agent/seam/record.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { type AgentTurn, allTurns } from '../../supervisor/all-turns.ts';
import { filesOf } from '../../supervisor/kept.ts';
import { TranscriptReader } from '../../supervisor/transcript-reader.ts';
import { refuseCommand } from '../owners/refusals.ts';
import type { Parts } from '../serve/parts.ts';
import { shownTurn, withoutHandover } from '../views/without-handover.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

/** How much of a transcript is read for display. */
const TRANSCRIPT_BYTES_MAX = 256 * 1024 * 1024;
/** How long to wait for an agent to record a turn. */
const WRITTEN_MS_MAX = 3_000;
/** A transcript that is nowhere yet cannot be watched. */
const UNKNOWN_LOOK_MS = 250;

/** Reads a turn of the conversation from the agent's own transcript. */
export async function sessionTurn(
  parts: Parts,
  input: HandlerInput<'session.turn'>,
  signal: AbortSignal,
): Promise<CallOutput<'session.turn'>> {
  // An ended session records nothing more.
  const { session, live } = parts.sessions.find(input.session);
  refuseCommand(session);
  await untilWritten(parts, session, signal);
  const all = await allTurns(parts.config.state, session, parts.agents, TRANSCRIPT_BYTES_MAX);
  const named = input.prompt === undefined ? null : turnOf(parts, session, input.prompt, all);
  const number = named ?? (input.number < 0 ? all.length + 1 + input.number : input.number);
  const wanted = all[number - 1];
  if (wanted === undefined) {
    const name = nameOf(session);
    throw new OutlastError('turn_unknown', `${name} has no turn ${input.number}; it has ${all.length}`);
  }
  const { data, agent, markdown } = shownTurn(wanted);
  return { number, count: all.length, markdown: markdown(input.full), ended: !live, turn: { ...data, agent } };
}

/** A reply is known before it is recorded. The caller gets the whole turn, if it is recorded soon. */
async function untilWritten(parts: Parts, session: Session, signal: AbortSignal): Promise<void> {
  const { clock, config } = parts;
  const agent = knownAgent(parts.agents, session.spec.agent);
  const { last } = session.turn;
  if (last === null) return;
  const transcriptReader = new TranscriptReader(config.state);
  const deadlineMs = clock.steadyMs() + WRITTEN_MS_MAX;
  let isDone = false;
  const isWritten = async (): Promise<boolean> => {
    isDone = await transcriptReader.isWritten(session, agent, last.said);
    return isDone;
  };
  while (!isDone && !signal.aborted && clock.steadyMs() < deadlineMs) {
    // An agent may begin its transcript only now, so where it is is asked each time.
    const files = filesOf(transcriptReader.sources(session, agent));
    const leftMs = deadlineMs - clock.steadyMs();
    const msMax = files.length === 0 ? Math.min(leftMs, UNKNOWN_LOOK_MS) : leftMs;
    await waitForChange(parts, { session: session.id, files }, isWritten, signal, msMax);
  }
}

/** The turn that a prompt of ours began, found by its text: the newest one. */
function turnOf({ journal, agents }: Parts, session: Session, prompt: string, all: readonly AgentTurn[]): number {
  const given = journal.session(session.id).events.flatMap(({ body }) => {
    const isIt = (body.type === 'prompt.queued' || body.type === 'session.followed') && 'prompt' in body;
    return isIt && body.prompt === prompt ? [body.text] : [];
  });
  const { last } = session.turn;
  const text = last?.prompt === prompt ? last.text : given.at(-1);
  if (text === undefined)
    throw new OutlastError('prompt_unknown', `${session.id} was never given the prompt "${prompt}"`);
  const isIt = ({ agent, prompt: recorded }: AgentTurn): boolean => {
    const { record } = knownAgent(agents, agent);
    // After a switch the recorded prompt begins with the hand-over.
    return record !== undefined && [recorded, withoutHandover(recorded)].some((each) => isSameText(record, text, each));
  };
  return all.findLastIndex(isIt) + 1;
}
