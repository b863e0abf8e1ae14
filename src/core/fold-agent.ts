import { unreachable } from '../base/assert.ts';
import { type Actor, isBound } from './actor.ts';
import { putOff } from './deferred.ts';
import type { EventBody } from './event.ts';
import type { AgentBody } from './event-body.ts';
import { remember } from './fold-prompt.ts';
import { runOf, type Session } from './session.ts';

/** Of a tool's input, so much is told to an agent that was cut off in it. */
const INPUT_CHARS_MAX = 300;

/** What a fact about the agent, its turns or who types changes. */
export function applyAgent(s: Session, body: AgentBody, nowMs: number): Session {
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
      return turnEnded(s, body, nowMs);
    case 'turn.deferred':
      return putOff(s, body);
    case 'turn.interrupting':
      return interrupted(s, body.by, nowMs);
    case 'tool.called': {
      const input = body.input.slice(0, INPUT_CHARS_MAX);
      return body.call === null ? s : { ...s, calls: [...s.calls, { id: body.call, tool: body.tool, input }] };
    }
    case 'tool.ended':
      return { ...s, calls: s.calls.filter(({ id }) => id !== body.call) };
    case 'subagent.started':
      return { ...s, noted: JSON.stringify(body), subagents: [...s.subagents, body.subagent] };
    case 'subagent.ended':
      return { ...s, noted: JSON.stringify(body), subagents: s.subagents.filter((id) => id !== body.subagent) };
    case 'tool.denied':
    case 'agent.noticed':
      return { ...s, noted: JSON.stringify(body) };
    case 'agent.left':
      return { ...s, noted: JSON.stringify(body), run: s.run && { ...s.run, lastWord: body.reason } };
    case 'conversation.compacted':
      return { ...shortened(s), noted: JSON.stringify(body) };
    default:
      return unreachable(body);
  }
}

/** A person who made the conversation shorter has done what it was held for. */
function shortened(s: Session): Session {
  const isFor = s.aside?.phase.at === 'held' && s.aside.phase.why.kind === 'too-long';
  return s.aside && isFor ? { ...s, aside: { ...s.aside, solved: true } } : s;
}

/** A turn of a person in a visit that is answered shows that what was in the way is gone. */
function turnEnded(s: Session, body: Extract<EventBody, { type: 'turn.ended' }>, nowMs: number): Session {
  const over = { ...s, otherTurn: null, interrupting: null };
  // Nobody told of an end that we only saw.
  if (body.trouble !== undefined || body.reply === '') return over;
  return { ...over, answeredAtMs: nowMs, aside: s.aside && { ...s.aside, solved: true } };
}

/** What we interrupt because it hangs is taken up again; what somebody else wants to end is not. */
function interrupted(s: Session, by: Actor, nowMs: number): Session {
  const prompts = s.prompts.map((p) =>
    p.state === 'accepted' && p.run === runOf(s) ? { ...p, hungTurn: isBound(by, 'hang') ? p.turn : 0 } : p,
  );
  return { ...s, prompts, interrupting: { by, sinceMs: nowMs } };
}
