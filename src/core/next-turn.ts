import { actorOfWord, actorText, person } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import { nextShown } from './next-control.ts';
import { nextParked, nextPutOff, nextUnasked } from './next-deferred.ts';
import { nextBehind } from './next-holder.ts';
import { nextMissing } from './next-missing.ts';
import { nextFollowed, sending } from './next-prompt.ts';
import { nextFound } from './next-search.ts';
import { nextAllowed, nextCounted, nextTroubled } from './next-trouble.ts';
import { isExpecting, nextUpdatePrompt, nextUpdatesFirst } from './next-update.ts';
import { type Outcome, type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import {
  append,
  beginning,
  ended,
  exited,
  faulted,
  hung,
  isBegun,
  lost,
  PERSON_LOOK_MS,
  tokenOf,
  unstarted,
  wait,
} from './steps.ts';

/** A session of turns without a process: end, open it for a person, or start the next turn. */
export function nextBetweenTurns(s: Session, prompt: Prompt | undefined, snapshot: Snapshot, nowMs: number): Step {
  const counted = nextCounted(s, snapshot);
  if (counted) return counted;
  const shown = nextShown(s, snapshot, nowMs);
  if (shown) return shown;
  const parked = nextParked(s);
  if (parked) return parked;
  if (prompt === undefined) {
    const woken = nextUpdatePrompt(s, nowMs);
    if (woken) return woken;
    const isOver = !s.keepOpen && s.attendance.control === null && !isExpecting(s, snapshot);
    // Closing: processes that the agent left behind end with the session.
    return isOver ? append({ type: 'session.closing', outcome: outcomeOf(s) }) : wait(null);
  }
  const followed = nextFollowed(s, snapshot, nowMs) ?? nextTroubled(s, prompt, snapshot, nowMs);
  if (followed) return followed;
  if (s.attendance.control !== null) {
    const why = `${actorText(s.attendance.control.by)} has control`;
    return prompt.waiting === why ? wait(null) : append({ type: 'prompt.waiting', prompt: prompt.id, why });
  }
  const forbidden = nextAllowed(s, snapshot, nowMs);
  if (forbidden) return forbidden;
  if (nowMs < prompt.notBeforeMs) return wait(prompt.notBeforeMs);
  const missing = nextMissing(s, snapshot) ?? nextBehind(snapshot, prompt, nowMs);
  if (missing) return missing;
  // It was held only because the end of its turn could not be read.
  const over = prompt.state === 'queued' ? null : turnOver(s, snapshot);
  if (over) return append(...over);
  if (!snapshot.slot) return wait(null);
  const told = nextUpdatesFirst(s, prompt);
  if (told) return told;
  return append(...beginning(s, snapshot));
}

/** A turn that was cut off while a person has control is theirs to continue; ours waits. */
export function nextTurnLeft(s: Session, snapshot: Snapshot): Step | null {
  const prompt = s.prompts[0];
  if (s.spec.drive !== 'turns' || s.attendance.control === null || prompt === undefined) return null;
  const why = `${actorText(s.attendance.control.by)} has control`;
  return append({ type: 'prompt.waiting', prompt: prompt.id, why }, ended(s, snapshot));
}

/** Sent to a run that is gone. The agent's own transcript decides. */
export function nextLeftOver(s: Session, prompt: Prompt, snapshot: Snapshot, nowMs: number): Step {
  const run = runOf(s);
  if (!snapshot.transcript.received.includes(tokenOf(prompt))) {
    if (snapshot.transcript.isUnread === true) return nextUnread(prompt, nowMs);
    if (isBegun(prompt)) {
      if (s.attendance.control !== null) return wait(nowMs + PERSON_LOOK_MS);
      return append({ ...sending(prompt, prompt.turn + 1, run), unwritten: true as const });
    }
    // Nothing is typed over a person's draft; the prompt is queued like any other.
    return append({ type: 'prompt.waiting', prompt: prompt.id, why: 'it was not received before' });
  }
  if (snapshot.transcript.turn === 'open') {
    if (snapshot.holder !== undefined) return wait(nowMs + PERSON_LOOK_MS);
    return s.attendance.control === null ? append(sending(prompt, prompt.turn + 1, run)) : wait(nowMs + PERSON_LOOK_MS);
  }
  return append(overBody(prompt, snapshot, s.turn.interrupting?.by));
}

/** Whether the dead process received it cannot be known: then it is not sent again automatically. */
function nextUnread({ id, state, sinceMs }: Prompt, nowMs: number): Step {
  if (state === 'unsure') return wait(null);
  return append({ type: 'prompt.unsure', prompt: id, waitedMs: nowMs - sinceMs });
}

/** A run of one turn has ended: with the answer, or without. */
export function nextTurnOver(s: Session, snapshot: Snapshot, nowMs: number): Step {
  const first = unstarted(s, snapshot, nowMs) ?? nextFound(s, snapshot);
  if (first) return first;
  const prompt = promptOf(s);
  if (prompt === undefined) return append(ended(s, snapshot));
  const unfinished = nextPutOff(s, snapshot) ?? nextUnasked(s, snapshot, nowMs);
  if (unfinished) return unfinished;
  const over = turnOver(s, snapshot);
  if (over !== null) return append(...over, ended(s, snapshot));
  if (s.turn.interrupting !== null) {
    return append({ type: 'prompt.interrupted', prompt: prompt.id, by: s.turn.interrupting.by }, ended(s, snapshot));
  }
  const { terminal } = snapshot;
  return faulted(s, terminal.is === 'dead' ? exited(s, snapshot, terminal) : lost(s, snapshot), nowMs);
}

/** Nothing is open: the answer was reported, or the transcript has it. */
export function isTurnOver(s: Session, snapshot: Snapshot): boolean {
  return promptOf(s) === undefined || turnOver(s, snapshot) !== null;
}

/** The end of our turn according to the transcript; null: it is open, or the transcript cannot say. */
export function turnOver(s: Session, snapshot: Snapshot): EventBody[] | null {
  const isHeard = (p: Prompt): boolean => snapshot.transcript.received.includes(tokenOf(p));
  // A prompt that was typed into the turn but not received before its end is not answered by it.
  const isOpen = (p: Prompt): boolean => p.state !== 'troubled' && (p.state === 'accepted' || isHeard(p));
  const ours = s.prompts.filter((p) => p.run === runOf(s) && isOpen(p));
  if (!ours.some(isHeard) || ['open', 'deferred'].includes(snapshot.transcript.turn)) return null;
  return ours.map((prompt) => overBody(prompt, snapshot, s.turn.interrupting?.by));
}

/** How a session with nothing left to do ends: as its last turn did. */
export function outcomeOf({ turn: { last } }: Session): Outcome {
  switch (last?.how) {
    case 'failed':
      return { kind: 'failed', error: last.reply };
    case 'interrupted':
      return { kind: 'stopped', by: last.by ?? actorOfWord(last.reply) };
    default:
      return { kind: 'done', exit: null };
  }
}

function promptOf(s: Session): Prompt | undefined {
  return s.prompts.find((p) => p.run === runOf(s) && p.state !== 'troubled');
}

function overBody(prompt: Prompt, { transcript }: Snapshot, by = person(null)): EventBody {
  switch (transcript.turn) {
    case 'failed': {
      const trouble = transcript.trouble ?? { kind: 'other' };
      return { type: 'prompt.troubled', prompt: prompt.id, trouble, text: transcript.reply };
    }
    case 'interrupted':
      // A turn that hung was interrupted by us, to be continued.
      if (prompt.hungTurn === prompt.turn) return hung(prompt);
      return { type: 'prompt.interrupted', prompt: prompt.id, by };
    default:
      return { type: 'prompt.answered', prompt: prompt.id, reply: transcript.reply };
  }
}
