import type { SessionActions } from '../../agent/seam/actions.ts';
import { actorText } from '../../core/actor.ts';
import type { Event } from '../../core/event.ts';
import type { Session } from '../../core/session.ts';
import { toText } from '../../terminal/text.ts';
import { actionText } from '../views/action-text.ts';
import { cut, oneLine } from '../views/one-line.ts';
import { withoutUpdates } from '../views/without-updates.ts';

/** The texts of a notice about an agent. */
export interface AgentText {
  readonly why?: string;
  readonly command: string;
  readonly snippet: string;
  readonly read: string;
}

const PROMPT_CHARS_MAX = 60;
const WHY_CHARS_MAX = 200;
const SNIPPET_CHARS_MAX = 400;

/** Describes an event of an agent: the agent, its prompt, and the result. */
export function agentText({ body }: Event, session: Session, actions: SessionActions): AgentText {
  const words = cut(oneLine(withoutUpdates(promptText(body, session))), PROMPT_CHARS_MAX);
  const why = whyText(body);
  const isForPerson = body.type === 'session.held' || body.type === 'prompt.unsure';
  return {
    ...(why !== null && { why: cut(oneLine(why), WHY_CHARS_MAX) }),
    command: words === '' ? session.spec.agent : `${session.spec.agent} "${words}"`,
    snippet: firstLines(body.type === 'approval.asked' ? callText(body, session, actions) : replyText(body, session)),
    read:
      body.type === 'approval.asked'
        ? `outlast approve ${body.approval}   or   outlast deny ${body.approval} --why "…"`
        : `outlast ${isForPerson ? 'attach' : isBroken(body) ? 'report' : 'turn'} ${session.id}`,
  };
}

function isBroken(body: Event['body']): boolean {
  return body.type === 'session.ended' && (body.outcome.kind === 'failed' || body.outcome.kind === 'abandoned');
}

/** The text of the prompt that the event is about, if the session still has it. */
function promptText(body: Event['body'], { prompts, turn: { last } }: Session): string {
  if (!('prompt' in body)) return prompts[0]?.text ?? last?.text ?? '';
  if (body.type === 'prompt.queued') return body.text;
  const open = prompts.find(({ id }) => id === body.prompt);
  return open?.text ?? (last?.prompt === body.prompt ? last.text : '');
}

function whyText(body: Event['body']): string | null {
  switch (body.type) {
    case 'prompt.failed':
      return body.error;
    case 'session.held':
      return body.why.text;
    case 'prompt.waiting':
      return body.why;
    case 'approval.asked':
      return body.tool;
    case 'approval.refused':
      return `it tried to decide its own call ${body.approval}: ${actorText(body.by)}`;
    case 'approval.breached':
      return `${body.tool} was used without being allowed`;
    default:
      return null;
  }
}

/** A line for each action of the call. */
function callText(
  { tool, input }: Extract<Event['body'], { type: 'approval.asked' }>,
  session: Session,
  actions: SessionActions,
): string {
  return actions(session, tool, JSON.parse(input)).map(actionText).join('\n');
}

function replyText(body: Event['body'], { turn: { last } }: Session): string {
  switch (body.type) {
    case 'prompt.answered':
    case 'turn.ended':
      return body.reply;
    case 'prompt.failed':
      return body.error;
    case 'session.held':
      return body.why.text;
    case 'session.ended':
      return last === null || last.how === 'interrupted' ? '' : last.reply;
    default:
      return '';
  }
}

function firstLines(text: string): string {
  const lines = toText(Buffer.from(text))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return cut(lines.join('\n'), SNIPPET_CHARS_MAX);
}
