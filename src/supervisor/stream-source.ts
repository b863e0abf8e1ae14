import type { Agent } from '../agent/seam/agent.ts';
import type { HookReport } from '../agent/seam/hooks.ts';
import type { RecordFollower } from '../agent/seam/live.ts';
import type { AgentRecord } from '../agent/seam/record.ts';
import { isSameText } from '../agent/seam/record.ts';
import type { TurnsDrive } from '../agent/seam/turns.ts';
import { say } from '../core/say.ts';
import type { Session } from '../core/session.ts';
import { tokenOf } from '../core/steps.ts';
import { runFolder, runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import type { StreamSource } from './streams.ts';
import type { WorldState } from './world-state.ts';

/** How much of another sender's prompt is kept. */
const TEXT_CHARS_MAX = 8_192;

/** What the run of a session appends lines to: its output, or its record. Null: nothing that is followed. */
export function sourceOf(
  { state, transcriptReader }: Pick<WorldState, 'state' | 'transcriptReader'>,
  session: Session,
  ref: RunRef,
  agent: Agent,
): StreamSource | null {
  const { turns, live, record } = agent;
  if (turns !== undefined && isTurning(session)) return outputOf(state, ref, turns);
  if (live?.follows === undefined || record === undefined || !isShowing(session)) return null;
  const path = transcriptReader.path(session, agent);
  return path === null ? null : recordOf(session, ref, path, { follows: live.follows, record });
}

function outputOf(state: string, ref: RunRef, turns: TurnsDrive): StreamSource {
  const listener = () => turns.listener(ref.run);
  const { piece } = turns;
  const lines = { listener, ...(piece && { piece }) };
  return { ref, path: runFolder(state, ref).output, name: runName(ref), ...lines, named: namedByRun };
}

/** A process of one turn has one prompt: where its output does not repeat the text, it is that one. */
function namedByRun(session: Session, input: HookReport): HookReport {
  if (input.type !== 'hook.prompted' || input.token !== null || input.text !== '') return input;
  const ours = session.prompts.find((p) => p.run === input.run && p.state !== 'queued');
  return ours === undefined ? input : { ...input, token: tokenOf(ours), text: say(ours)?.text ?? '' };
}

interface Following {
  readonly follows: RecordFollower;
  readonly record: Pick<AgentRecord<unknown>, 'keysOf'>;
}

/** The conversation is part of the name: a person may begin another one on the screen. */
function recordOf(session: Session, ref: RunRef, path: string, { follows, record }: Following): StreamSource {
  const upTo = session.run?.upTo ?? null;
  return {
    ref,
    path,
    name: `${runName(ref)} ${session.conversation.id}`,
    listener: () => follows.listener(ref.run, upTo),
    named: (current, input) => namedByText(current, input, record),
  };
}

/** A person types there too: only the text says whose prompt it is. */
function namedByText(session: Session, input: HookReport, record: Following['record']): HookReport {
  if (input.type !== 'hook.prompted') return input;
  const isOurs = (text: string | undefined): boolean => text !== undefined && isSameText(record, text, input.text);
  const ours = session.prompts.find((p) => p.run === input.run && p.state !== 'queued' && isOurs(say(p)?.text));
  return { ...input, token: ours === undefined ? null : tokenOf(ours), text: input.text.slice(0, TEXT_CHARS_MAX) };
}

/** Is there a process of one turn, whose output is a stream? */
function isTurning({ spec, run, phase }: Session): boolean {
  if (spec.drive !== 'turns' || run === null || run.how === 'visit') return false;
  return phase.at === 'working' || phase.at === 'blocked' || phase.at === 'opening';
}

/** Does a process with a screen run, or has its end not been recorded yet? */
function isShowing({ spec, run, conversation }: Session): boolean {
  return spec.drive === 'live' && run !== null && run.outputBytes === null && conversation.id !== null;
}
