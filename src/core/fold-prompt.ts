import { unreachable } from '../base/assert.ts';
import { actorText } from './actor.ts';
import { droppedOf, isDeferred, settledOf } from './deferred.ts';
import type { Event, EventBody } from './event.ts';
import type { PromptBody } from './event-body.ts';
import { withImages } from './image.ts';
import { turnBegun } from './ownership.ts';
import { changed } from './parts.ts';
import { toldAbout } from './postponed.ts';
import { say } from './say.ts';
import { type LastTurn, type Phase, type Prompt, type PromptId, runOf, type Session } from './session.ts';

/** How many of the agent's turn ids are remembered. Late reports are never older than that. */
const TURN_IDS_MAX = 50;

/** Applies an event about a prompt. */
export function applyPrompt(s: Session, body: PromptBody, { steadyMs, atMs }: Event): Session {
  switch (body.type) {
    case 'prompt.queued':
      return queued(s, freshPrompt(body, steadyMs));
    case 'prompt.sending':
      return patch(changed(s, 'updates', turnBegun(s.updates, body.prompt, steadyMs)), body.prompt, {
        state: 'sending',
        turn: body.turn,
        run: body.run,
        entered: false,
        enters: 0,
        waiting: null,
        turnId: null,
        sentAtMs: atMs,
        sinceMs: steadyMs,
        ...(body.fromStart === true && { firstTurn: body.turn }),
        ...(body.unwritten === true && { unwritten: true }),
      });
    case 'prompt.waiting':
      return patch(s, body.prompt, { state: 'queued', waiting: body.why, sinceMs: steadyMs });
    case 'prompt.entering':
      return patch(s, body.prompt, { entered: true, enters: entersOf(s, body.prompt) + 1, sinceMs: steadyMs });
    case 'prompt.unsure':
      return patch(s, body.prompt, { state: 'unsure' });
    case 'prompt.accepted':
      return accepted(s, body, steadyMs);
    case 'prompt.answered':
      return answered(over(s, body.prompt, 'answered', body.reply, steadyMs), steadyMs);
    case 'prompt.failed':
      return over(s, body.prompt, 'failed', body.error, steadyMs);
    case 'prompt.interrupted':
      return interrupted(s, body, steadyMs);
    case 'prompt.troubled':
      return troubled(s, body, steadyMs);
    case 'prompt.delayed':
      return delayed(s, body, steadyMs);
    case 'prompt.dropped': {
      const dropped = s.prompts.find((p) => p.id === body.prompt);
      const stale = dropped?.state === 'unsure' ? dropped.text : s.turn.stale;
      const prompts = s.prompts.filter((p) => p.id !== body.prompt);
      return { ...toldAbout(s, body.prompt), turn: { ...s.turn, stale }, prompts };
    }
    default:
      return unreachable(body);
  }
}

/** The first prompt after a switch tells the agent what happened before. A command of the agent takes no other text. */
function queued(s: Session, prompt: Prompt): Session {
  const { handover, ...conversation } = s.conversation;
  if (handover === undefined || prompt.command) return { ...s, prompts: [...s.prompts, prompt] };
  return { ...s, conversation, prompts: [...s.prompts, { ...prompt, handover }] };
}

function entersOf(s: Session, id: PromptId): number {
  const prompt = s.prompts.find((p) => p.id === id);
  return prompt?.enters ?? Number(prompt?.entered ?? false);
}

function accepted(s: Session, { prompt, turnId = null }: Body<'prompt.accepted'>, nowMs: number): Session {
  const known = remember(patch(s, prompt, { state: 'accepted', turnId }), turnId);
  const settled = changed(changed(known, 'turn', { stale: null }), 'gate', { deferred: settledOf(s) });
  return { ...settled, phase: acceptedPhase(s, nowMs) };
}

/** An agent may report before we have seen its process, which still has to be found. */
function acceptedPhase({ phase, run }: Session, sinceMs: number): Phase {
  if (phase.at === 'opening') return phase;
  return { at: phase.at === 'blocked' ? 'blocked' : 'working', run: run?.number ?? 0, sinceMs };
}

/** A finished turn resets what was tried before. */
function answered(s: Session, nowMs: number): Session {
  return {
    ...s,
    turn: { ...s.turn, answeredAtMs: nowMs },
    recovery: { ...s.recovery, remediation: { ...s.recovery.remediation, tried: [] } },
  };
}

/** Remembers a turn id. */
export function remember(s: Session, turnId: string | null): Session {
  return turnId === null ? s : changed(s, 'turn', { turnIds: [...s.turn.turnIds.slice(1 - TURN_IDS_MAX), turnId] });
}

/** A prompt that has not been worked on yet. */
export function freshPrompt(body: Given, sinceMs: number): Prompt {
  return {
    id: body.prompt,
    text: body.text,
    ...withImages(body.images),
    state: 'queued',
    turn: 0,
    run: 0,
    entered: false,
    now: body.now ?? false,
    command: body.command ?? false,
    remedy: false,
    waiting: null,
    notBeforeMs: 0,
    troubles: 0,
    trouble: null,
    hungTurn: 0,
    unknown: [],
    turnId: null,
    sentAtMs: 0,
    sinceMs,
  };
}

type Body<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;
type Given = Pick<Extract<EventBody, { type: 'prompt.queued' }>, 'prompt' | 'text' | 'images' | 'now' | 'command'>;

/** A failed turn is over; what happens to its prompt is decided next. */
function troubled(s: Session, body: Extract<EventBody, { type: 'prompt.troubled' }>, nowMs: number): Session {
  const { prompt, trouble, text } = body;
  const troubles = (s.prompts.find((p) => p.id === prompt)?.troubles ?? 0) + 1;
  const idle: Phase = { at: 'idle', run: runOf(s), sinceMs: nowMs };
  return {
    ...turnOver(patch(s, prompt, { state: 'troubled', trouble: { trouble, text }, troubles, waiting: text })),
    phase: s.spec.drive === 'turns' ? s.phase : idle,
  };
}

/** What ends with a turn. */
function turnOver(s: Session): Session {
  return changed(changed(s, 'gate', { approvals: [] }), 'turn', {
    calls: [],
    done: [],
    earlier: [],
    interrupting: null,
    other: null,
  });
}

/**
 * It continues later. A turn that hung was cut off: its text may be in the input box again, and its tools may have had
 * effects.
 */
function delayed(s: Session, body: Extract<EventBody, { type: 'prompt.delayed' }>, nowMs: number): Session {
  const prompt = s.prompts.find((p) => p.id === body.prompt);
  if (prompt === undefined) return s;
  const isCut = prompt.state !== 'troubled';
  const changes = {
    state: 'queued',
    turn: prompt.turn + 1,
    waiting: body.why,
    notBeforeMs: body.retryAtMs,
    trouble: null,
    unknown: isCut ? s.turn.calls : [],
  } as const;
  const stale = isCut ? saidOf(prompt) : s.turn.stale;
  return {
    ...changed(turnOver(patch(s, body.prompt, changes)), 'turn', { stale }),
    phase: s.spec.drive === 'turns' ? s.phase : { at: 'idle', run: runOf(s), sinceMs: nowMs },
  };
}

/** The text as the input box had it. */
function saidOf(prompt: Prompt): string {
  return say(prompt)?.text ?? prompt.text;
}

/** A finished turn. In turns the process stays for a moment; the session is idle when it has exited. */
function over(s: Session, id: PromptId, how: LastTurn['how'], reply: string, nowMs: number): Session {
  const prompt = s.prompts.find((p) => p.id === id);
  const text = prompt?.text ?? '';
  const prompts = s.prompts.filter((p) => p.id !== id);
  const isStill = prompts.some((p) => p.state === 'accepted' && p.run === runOf(s));
  const idle: Phase = { at: 'idle', run: runOf(s), sinceMs: nowMs };
  const rest = turnOver(toldAbout(s, id));
  return {
    ...s,
    recovery: { ...s.recovery, faults: how === 'answered' ? 0 : s.recovery.faults },
    gate: { ...rest.gate, deferred: how === 'answered' ? null : droppedOf(s) },
    prompts,
    turn: {
      ...rest.turn,
      last: { prompt: id, text, said: prompt === undefined ? text : saidOf(prompt), how, reply, ...unmarked(prompt) },
      stale: how === 'interrupted' && prompt !== undefined ? saidOf(prompt) : s.turn.stale,
    },
    phase: (s.spec.drive === 'turns' && !isDeferred(s)) || isStill ? s.phase : idle,
  };
}

function interrupted(s: Session, { prompt, by }: Body<'prompt.interrupted'>, nowMs: number): Session {
  const ended = over(s, prompt, 'interrupted', actorText(by), nowMs);
  return { ...ended, turn: { ...ended.turn, last: ended.turn.last && { ...ended.turn.last, by } } };
}

/** Only the agent's own turn id proves that its hook has reported. */
function unmarked(prompt: Prompt | undefined): Pick<LastTurn, 'unmarked'> {
  return prompt !== undefined && prompt.run > 0 && prompt.turnId === null ? { unmarked: true } : {};
}

function patch(s: Session, id: PromptId, prompt: Partial<Prompt>): Session {
  return { ...s, prompts: s.prompts.map((p) => (p.id === id ? { ...p, ...prompt } : p)) };
}
