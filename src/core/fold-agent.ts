import { unreachable } from '../base/assert.ts';
import { type Actor, isBound } from './actor.ts';
import { putOff } from './deferred.ts';
import type { EventBody } from './event.ts';
import type { AgentBody } from './event-body.ts';
import { remember } from './fold-prompt.ts';
import { changed } from './parts.ts';
import { postponedOf } from './postponed.ts';
import { type Phase, runOf, type Session } from './session.ts';

/** How much of an interrupted tool call's input the agent is reminded of. */
const INPUT_CHARS_MAX = 300;

/** How many calls that ran beside each other are kept when they have ended. */
const DONE_MAX = 8;

/** How many calls that ended before those are kept. */
const EARLIER_MAX = 20;

/** Applies an event about the agent, its turns or who controls the terminal. */
export function applyAgent(s: Session, body: AgentBody, nowMs: number): Session {
  switch (body.type) {
    case 'control.taken':
      return changed(s, 'attendance', { control: { by: body.by, how: body.how } });
    case 'control.returned':
      return { ...changed(s, 'attendance', { control: null, visitWanted: false }), phase: idleSince(s.phase, nowMs) };
    case 'visit.wanted':
      return changed(s, 'attendance', { visitWanted: true });
    case 'conversation.opened':
      return opened(s, body);
    case 'turn.started':
      return remember(changed(s, 'turn', { other: { turnId: body.turnId } }), body.turnId);
    case 'turn.ended':
      return turnEnded(s, body, nowMs);
    case 'turn.deferred':
      return putOff(s, body);
    case 'turn.interrupting':
      return interrupted(s, body.by, nowMs);
    case 'tool.called':
      return called(s, body);
    case 'tool.ended':
      return returned(s, body.call);
    case 'subagent.started':
      return changed(s, 'turn', { noted: JSON.stringify(body), subagents: [...s.turn.subagents, body.subagent] });
    case 'subagent.ended':
      return changed(s, 'turn', {
        noted: JSON.stringify(body),
        subagents: s.turn.subagents.filter((id) => id !== body.subagent),
      });
    case 'tool.denied':
    case 'agent.noticed':
      return changed(s, 'turn', { noted: JSON.stringify(body) });
    case 'agent.left':
      return {
        ...s,
        turn: { ...s.turn, noted: JSON.stringify(body) },
        run: s.run && { ...s.run, lastWord: body.reason },
      };
    case 'conversation.compacted':
      return changed(shortened(s), 'turn', { noted: JSON.stringify(body) });
    default:
      return unreachable(body);
  }
}

function called(s: Session, { call: id, tool, input }: Extract<AgentBody, { type: 'tool.called' }>): Session {
  if (id === null) return s;
  const { calls, done = [], earlier = [] } = s.turn;
  const added = { id, tool, input: input.slice(0, INPUT_CHARS_MAX) };
  const over = { earlier: [...earlier, ...done].slice(-EARLIER_MAX), done: [] };
  return changed(s, 'turn', { calls: [...calls, added], ...(calls.length === 0 && over) });
}

function returned(s: Session, call: string | null): Session {
  const { calls, done = [], earlier = [] } = s.turn;
  const ended = calls.filter(({ id }) => id === call);
  const open = calls.filter(({ id }) => id !== call);
  const last = [...done, ...ended];
  const before = [...earlier, ...last.slice(0, -DONE_MAX)].slice(-EARLIER_MAX);
  return changed(s, 'turn', { calls: open, done: last.slice(-DONE_MAX), earlier: before });
}

/** It is unused since the person is gone. */
function idleSince(phase: Phase, nowMs: number): Phase {
  return phase.at === 'idle' ? { ...phase, sinceMs: nowMs } : phase;
}

function opened(s: Session, { conversation: id, transcript }: Opened): Session {
  const known = changed(s, 'conversation', { id, transcript: transcript ?? s.conversation.transcript });
  // Another conversation does not know the calls of this one.
  const postponed = s.conversation.id === id ? postponedOf(s) : [];
  return { ...changed(known, 'gate', { postponed }), run: s.run && { ...s.run, reported: true } };
}

type Opened = Extract<AgentBody, { type: 'conversation.opened' }>;

/** A person who shortened the conversation has done what the session was held for. */
function shortened(s: Session): Session {
  const isFor =
    s.attendance.suspendedPhase?.phase.at === 'held' && s.attendance.suspendedPhase.phase.why.kind === 'too-long';
  return s.attendance.suspendedPhase && isFor
    ? changed(s, 'attendance', { suspendedPhase: { ...s.attendance.suspendedPhase, solved: true } })
    : s;
}

/** A person's turn that was answered during a visit shows that the obstacle is gone. */
function turnEnded(s: Session, body: Extract<EventBody, { type: 'turn.ended' }>, nowMs: number): Session {
  const over = changed(s, 'turn', { other: null, interrupting: null });
  // An end that we only observed was not reported.
  if (body.trouble !== undefined || body.reply === '') return over;
  return {
    ...over,
    turn: { ...over.turn, answeredAtMs: nowMs },
    attendance: {
      ...over.attendance,
      suspendedPhase: s.attendance.suspendedPhase && { ...s.attendance.suspendedPhase, solved: true },
    },
  };
}

/** A turn that we interrupt because it hangs is continued; one that a person or caller interrupts is not. */
function interrupted(s: Session, by: Actor, nowMs: number): Session {
  const prompts = s.prompts.map((p) =>
    p.state === 'accepted' && p.run === runOf(s) ? { ...p, hungTurn: isBound(by, 'hang') ? p.turn : 0 } : p,
  );
  return { ...s, prompts, turn: { ...s.turn, interrupting: { by, sinceMs: nowMs } } };
}
