import type { EventBody } from './event.ts';
import { remember } from './fold-prompt.ts';
import type { Session } from './session.ts';

/** What a fact about the agent, its turns or who types changes. */
export function applyAgent(s: Session, body: EventBody, nowMs: number): Session {
  switch (body.type) {
    case 'control.taken':
      return { ...s, control: { by: body.by, how: body.how } };
    case 'control.returned':
      return { ...s, control: null, visit: false };
    case 'visit.wanted':
      return { ...s, visit: true };
    case 'conversation.opened': {
      const run = s.run === null ? null : { ...s.run, spoke: true };
      return { ...s, run, conversation: body.conversation, transcript: body.transcript ?? s.transcript };
    }
    case 'turn.started':
      return remember({ ...s, otherTurn: { mark: body.mark } }, body.mark);
    case 'turn.ended':
      return { ...s, otherTurn: null, interrupting: null };
    case 'turn.interrupting':
      return { ...s, interrupting: { by: body.by, sinceMs: nowMs } };
    case 'tool.called':
      return body.call === null ? s : { ...s, calls: [...s.calls, { id: body.call, tool: body.tool }] };
    case 'tool.ended':
      return { ...s, calls: s.calls.filter(({ id }) => id !== body.call) };
    case 'tool.denied':
    case 'subagent.started':
    case 'subagent.ended':
    case 'conversation.compacted':
    case 'agent.noticed':
    case 'agent.left':
      return { ...s, noted: JSON.stringify(body) };
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}
