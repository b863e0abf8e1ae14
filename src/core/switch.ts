import { unreachable } from '../base/assert.ts';
import type { Event, EventBody } from './event.ts';
import { again } from './fold-release.ts';
import { changed } from './parts.ts';
import { NO_REMEDIATION } from './remediation.ts';
import type { ConversationId, ConversationSpec, Phase, Prompt, Session, Spec, TerminalKind } from './session.ts';
import { successors } from './spec.ts';
import type { Gauge } from './usage.ts';

/** The agent with which a session goes on, and what that one has to know. */
export interface Switch {
  readonly agent: string;
  readonly drive: Exclude<Spec['drive'], 'command'>;
  readonly terminal: TerminalKind;
  readonly conversation: ConversationSpec;
  /** The conversation is an earlier one of this session, and where it is stored; missing: it is a new one. */
  readonly resumes?: { readonly transcript: string | null };
  /** What the first prompt begins with. */
  readonly handover: string;
  /** How many turns the conversation had that is left. */
  readonly turns: number;
}

/** A conversation with another agent, before the session was switched. */
export interface EarlierConversation {
  readonly agent: string;
  readonly drive: Spec['drive'];
  readonly spec: ConversationSpec | undefined;
  readonly id: ConversationId | null;
  readonly transcript: string | null;
  /** How many turns it had then. */
  readonly turns: number;
  /** The end of the usage limit for which it was left, wall time; missing: there was none. */
  readonly limitedUntilMs?: number;
  /** When that limit was met, steady time. */
  readonly limitedSinceMs?: number;
  /** The limits of its account, as last reported; missing: none was. */
  readonly gauges?: readonly Gauge[];
}

/** At a usage limit, another agent is about to take over, unless none can. */
export function awaitsSwitch({ phase, spec, conversation }: Session): boolean {
  if (phase.at !== 'limited' || successors(spec.policy).length === 0) return false;
  return conversation.unswitchedUntilMs !== phase.untilMs;
}

type SwitchBody = Extract<EventBody, { type: 'session.switching' | 'session.switched' | 'session.unswitched' }>;

/** Applies an event about a switch. */
export function applySwitch(s: Session, body: SwitchBody, { atMs, steadyMs }: Event): Session {
  switch (body.type) {
    case 'session.switching':
      return switching(s, body, steadyMs);
    case 'session.switched':
      return switched(s, atMs, steadyMs);
    case 'session.unswitched':
      return s.phase.at === 'limited' ? changed(s, 'conversation', { unswitchedUntilMs: s.phase.untilMs }) : s;
    default:
      return unreachable(body);
  }
}

/** A session that ends before the switch keeps its agent. */
export function stayed(s: Session): Session {
  const { switchTo: _, limitedUntilMs: __, limitedSinceMs: ___, ...conversation } = s.conversation;
  return { ...s, conversation };
}

/** The time limited so far counts toward no limit. All limits are counted from here if a caller asked for it. */
function switching(s: Session, { why, to: switchTo }: Body<'session.switching'>, nowMs: number): Session {
  const { phase, accounting, recovery } = s;
  const isLimited = phase.at === 'limited';
  const parkedMs = accounting.parkedMs + (isLimited ? nowMs - phase.sinceMs : 0);
  const limit = isLimited ? { limitedUntilMs: phase.untilMs, limitedSinceMs: phase.sinceMs } : {};
  const manualResume = { atMs: nowMs, usage: accounting.usage, resumes: recovery.resumes };
  const counted = changed(s, 'accounting', { parkedMs, ...(why === 'asked' && { manualResume }) });
  return changed(counted, 'conversation', { switchTo, ...limit });
}

type Body<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;

/** No process of the earlier agent is left: the session goes on with another one. */
function switched(s: Session, atMs: number, nowMs: number): Session {
  const { switchTo, handover: _, ...conversation } = s.conversation;
  if (switchTo === undefined) return s;
  const { gauges: __, ...accounting } = s.accounting;
  const { agent, drive, terminal, conversation: wanted, resumes } = switchTo;
  const isTurns = drive === 'turns';
  const phase: Phase = isTurns ? { at: 'idle', run: s.run?.number ?? 0, sinceMs: nowMs } : { at: 'queued' };
  return handedOver(
    {
      ...s,
      spec: { ...s.spec, agent, drive, terminal, split: drive !== 'live', conversation: wanted },
      phase,
      run: s.run && { ...s.run, isOfEarlierAgent: true },
      conversation: {
        ...conversation,
        id: resumes === undefined ? null : wanted.id,
        transcript: resumes?.transcript ?? null,
        written: resumes === undefined ? 'no' : 'yes',
        earlier: [...(conversation.earlier ?? []), leftBehind(s, switchTo)],
      },
      turn: {
        ...s.turn,
        calls: [],
        done: [],
        subagents: [],
        other: null,
        interrupting: null,
        noted: null,
        stale: null,
      },
      gate: { ...s.gate, approvals: [], answers: [], deferred: null, postponed: [] },
      recovery: { ...s.recovery, faults: 0, remediation: NO_REMEDIATION },
      accounting: {
        ...accounting,
        counted: s.turn.last?.prompt ?? s.accounting.counted,
        // Messages of a conversation that is resumed were counted before.
        countedUpTo: { message: null, atMs },
      },
    },
    switchTo.handover,
  );
}

function leftBehind(s: Session, { turns }: Switch): EarlierConversation {
  const { id, transcript, limitedUntilMs, limitedSinceMs } = s.conversation;
  const { gauges } = s.accounting;
  return {
    agent: s.spec.agent,
    drive: s.spec.drive,
    spec: s.spec.conversation,
    id: id ?? s.spec.conversation?.id ?? null,
    transcript,
    turns,
    ...(limitedUntilMs !== undefined && { limitedUntilMs }),
    ...(limitedSinceMs !== undefined && { limitedSinceMs }),
    ...(gauges !== undefined && { gauges }),
  };
}

/** Everything that is not answered is sent to the new agent. The first prompt tells it what happened before. */
function handedOver(s: Session, handover: string): Session {
  const first = s.prompts.findIndex(({ command }) => !command);
  const prompts = s.prompts.map((p, i) => asNew(p, i === first ? handover : undefined));
  const { handover: _, limitedUntilMs: __, limitedSinceMs: ___, ...rest } = s.conversation;
  return { ...s, prompts, conversation: first < 0 ? { ...rest, handover } : rest };
}

function asNew(prompt: Prompt, handover: string | undefined): Prompt {
  const isSent = prompt.turn > 0;
  const next = isSent ? again(prompt) : { ...prompt, waiting: null };
  return {
    ...next,
    ...(isSent && { firstTurn: next.turn }),
    ...(handover !== undefined && { handover }),
    run: 0,
    now: false,
    entered: false,
    turnId: null,
    notBeforeMs: 0,
    troubles: 0,
    trouble: null,
    hungTurn: 0,
  };
}
