import type { Asked, ServerReport } from '../agent/seam/server.ts';
import { inputId } from '../core/cause.ts';
import type { HookInput } from '../core/event.ts';
import { say } from '../core/say.ts';
import type { Session } from '../core/session.ts';
import { tokenOf } from '../core/steps.ts';
import { runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { hashOf, idOf, type QuestionParts } from './questions.ts';

interface ReportParts extends Pick<QuestionParts, 'submit' | 'now' | 'judge'> {
  /** How long the agent waits for an answer; absent: as long as it takes. */
  readonly waitsMs?: number;
}

/** How much of another sender's prompt is kept. */
const TEXT_CHARS_MAX = 8_192;

/** Writes a report from a message to the journal. `question`: our id, if it is a question. */
export function takeReport(
  parts: ReportParts,
  session: Session,
  ref: RunRef,
  { key, says }: ServerReport,
  question: string | null,
): void {
  const current = parts.now(session);
  if (says.type === 'asked') {
    const id = inputId('server', runName(ref), 'asked', question ?? key);
    parts.submit(current, id, askedInput(parts, current, ref, says, question ?? key));
  } else {
    parts.submit(current, inputId('server', runName(ref), key), named(current, says));
  }
}

/** A question with the decision of the rules. Without a gate the core allows it. */
function askedInput(
  parts: ReportParts,
  current: Session,
  ref: RunRef,
  { call: asked }: Asked,
  hook: string,
): HookInput {
  const { call, tool, subagent } = asked;
  const input = JSON.stringify(asked.input) ?? 'null';
  const ruling = parts.judge(current, asked);
  const approval = idOf(`${runName(ref)} ${hook}`);
  const { waitsMs } = parts;
  const about = { run: ref.run, approval, call, tool, input, subagent, ruling };
  return {
    type: 'hook.asked',
    ...about,
    ...(waitsMs === undefined ? {} : { waitsMs }),
    hash: hashOf(asked.input),
    hook,
  };
}

/** If the protocol does not say whose prompt it is, its text does. */
function named(session: Session, says: Exclude<ServerReport['says'], Asked>): HookInput {
  if (says.type !== 'hook.prompted') return says;
  const isOurs = (text: string | undefined): boolean => text === says.text;
  const ours = session.prompts.find((p) => p.run === says.run && p.state !== 'queued' && isOurs(say(p)?.text));
  const token = says.token ?? (ours === undefined ? null : tokenOf(ours));
  return { ...says, token, text: says.text.slice(0, TEXT_CHARS_MAX) };
}
