import type { Sight, Step } from './event.ts';
import { runOf } from './fold.ts';
import type { Phase, Prompt, Session } from './session.ts';
import { act, append, ended, faulted, gone, lost, say, starting, tokenOf, wait } from './steps.ts';

/** A live agent that has not said yet that it is ready. */
export function nextStarting(s: Session, phase: Extract<Phase, { at: 'starting' }>, sight: Sight, nowMs: number): Step {
  if (sight.screen === 'ready') return append({ type: 'run.ready', run: phase.run, conversation: null });
  const dueMs = phase.sinceMs + s.spec.policy.startMsMax;
  if (nowMs < dueMs) return wait(dueMs);
  return faulted(s, { kind: 'unready', waitedMs: nowMs - phase.sinceMs }, nowMs);
}

/** Nothing is being worked on: end, send the next prompt, or find out what became of one that was sent. */
export function nextIdle(s: Session, phase: Extract<Phase, { at: 'idle' }>, sight: Sight, nowMs: number): Step {
  const prompt = s.prompts[0];
  if (s.spec.drive === 'turns') return nextBetweenTurns(s, prompt, sight);
  if (prompt === undefined && !s.spec.keepOpen) {
    return append({ type: 'session.closing', outcome: { kind: 'done', exit: null } });
  }
  const fault = gone(s, sight, nowMs);
  if (fault) return fault;
  if (prompt === undefined) return wait(null);
  if (prompt.state === 'queued') return sending(prompt, 1, phase.run);
  return prompt.run === phase.run ? nextSending(s, prompt, sight, nowMs) : nextLeftOver(prompt, phase.run, sight);
}

function nextBetweenTurns(s: Session, prompt: Prompt | undefined, sight: Sight): Step {
  if (prompt === undefined) {
    return s.spec.keepOpen ? wait(null) : append({ type: 'session.ended', outcome: { kind: 'done', exit: null } });
  }
  if (!sight.slot) return wait(null);
  const turn = Math.max(prompt.turn, 1);
  return append({ type: 'prompt.sending', prompt: prompt.id, turn, run: runOf(s) + 1 }, starting(s, sight));
}

/** Sent to a run that is gone. The agent's own transcript is the witness. */
function nextLeftOver(prompt: Prompt, run: number, sight: Sight): Step {
  if (!sight.transcript.heard.includes(tokenOf(prompt))) return sending(prompt, prompt.turn, run);
  if (sight.transcript.turn === 'open') return sending(prompt, prompt.turn + 1, run);
  return append({ type: 'prompt.answered', prompt: prompt.id, reply: sight.transcript.reply });
}

/** Sent to this run. One intent, one try: what may have been typed is never typed again. */
function nextSending(s: Session, prompt: Prompt, sight: Sight, nowMs: number): Step {
  const { acceptMsMax } = s.spec.policy;
  if (sight.transcript.heard.includes(tokenOf(prompt))) return append({ type: 'prompt.accepted', prompt: prompt.id });
  if (prompt.state === 'unsure') return wait(null);
  const spoken = say(prompt);
  if (sight.tried === 'no' && spoken !== null) {
    return act(prompt.entered ? { kind: 'enter', run: prompt.run } : { kind: 'type', run: prompt.run, say: spoken });
  }
  const dueMs = prompt.sinceMs + acceptMsMax;
  // Enter can be lost while the agent digests a large paste. It is repeated once, and only into our own text.
  const enterMs = prompt.sinceMs + acceptMsMax / 2;
  const holding = sight.screen === 'holding' && !prompt.entered;
  if (holding && nowMs >= enterMs) return append({ type: 'prompt.entering', prompt: prompt.id });
  if (nowMs < dueMs) return wait(holding || nowMs < enterMs ? enterMs : dueMs);
  return append({ type: 'prompt.unsure', prompt: prompt.id, waitedMs: nowMs - prompt.sinceMs });
}

/** A run of one turn has ended: with the answer, or without. */
export function nextTurnOver(s: Session, sight: Sight, nowMs: number): Step {
  if (!isTurnOver(s, sight)) {
    const { terminal } = sight;
    return faulted(s, terminal.is === 'dead' ? { kind: 'exited', exit: terminal.exit } : lost(s, sight), nowMs);
  }
  const prompt = s.prompts.find((p) => p.run === runOf(s));
  const { reply } = sight.transcript;
  return prompt === undefined
    ? append(ended(s, sight))
    : append({ type: 'prompt.answered', prompt: prompt.id, reply }, ended(s, sight));
}

/** Nothing is open: the answer was heard of, or the transcript has it. */
export function isTurnOver(s: Session, sight: Sight): boolean {
  const prompt = s.prompts.find((p) => p.run === runOf(s));
  if (prompt === undefined) return true;
  return sight.transcript.turn === 'closed' && sight.transcript.heard.includes(tokenOf(prompt));
}

function sending(prompt: Prompt, turn: number, run: number): Step {
  return append({ type: 'prompt.sending', prompt: prompt.id, turn, run });
}

/** An agent in the middle of a turn: an approval may be due, or it may have gone silent. */
export function nextThinking(s: Session, sight: Sight, nowMs: number): Step {
  const { policy } = s.spec;
  const oldest = s.approvals[0];
  if (oldest !== undefined) {
    const dueMs = oldest.askedAtMs + policy.approvalMsMax;
    if (nowMs < dueMs) return wait(dueMs);
    return append({ type: 'approval.decided', approval: oldest.id, allow: false, by: 'timeout' });
  }
  const silentMs = sight.terminal.is === 'alive' ? sight.terminal.quietMs : 0;
  if (silentMs < policy.silenceMsMax) return wait(nowMs + policy.silenceMsMax - silentMs);
  if (sight.screen === 'busy') return wait(nowMs + policy.silenceMsMax);
  return faulted(s, { kind: 'stalled', silentMs }, nowMs);
}
