import { actorText } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import { nextAhead, nextBehind } from './next-holder.ts';
import { nextUpdatesFirst } from './next-update.ts';
import { say } from './say.ts';
import { type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, PERSON_LOOK_MS, tokenOf, wait } from './steps.ts';

/** A screen may be in transition for this long without being reported; it is looked at again soon. */
const PASSING_MS = 1_000;
const PASSING_LOOK_MS = 50;
/** An agent that was interrupted puts the prompt back into its input box within this time, if it does. */
const PUT_BACK_MS = 1_000;
/** How often Enter is repeated. */
const ENTERS_MAX = 3;
/** A command shows its effect sooner than this. */
const TAKEN_MS = 1_500;
/** An agent that received Enter shows it sooner than this. */
const STILL_MS = 1_000;

/**
 * A prompt is typed only into the empty input box of an agent that accepts one. Until then it waits and reports why.
 */
export function nextQueued(s: Session, prompt: Prompt, snapshot: Snapshot, nowMs: number): Step {
  const followed = nextFollowed(s, snapshot, nowMs);
  if (followed) return followed;
  if (nowMs < prompt.notBeforeMs) return wait(prompt.notBeforeMs);
  const behind = s.phase.at === 'idle' && s.attendance.control === null ? nextBehind(snapshot, prompt, nowMs) : null;
  if (behind) return behind;
  const why = whyNot(s, prompt, snapshot);
  const ahead = why === null ? nextAhead(s, snapshot, nowMs) : null;
  if (ahead) return ahead;
  const putBackMs = why === null ? putBackUntilMs(s) : 0;
  if (nowMs < putBackMs) return wait(Math.min(putBackMs, nowMs + PASSING_LOOK_MS));
  if (why === null) return nextUpdatesFirst(s, prompt) ?? append(sending(prompt, Math.max(prompt.turn, 1), runOf(s)));
  // A prompt of ours that was withdrawn: the text is ours, so it may be removed.
  if (why === STALE && snapshot.screen.is === 'stale') return act({ kind: 'withdraw', run: runOf(s) });
  // Short transitions are not worth an event.
  const isPassing = snapshot.screen.is === 'busy' || snapshot.screen.is === 'unknown';
  if (isPassing && s.attendance.control === null && nowMs < sinceMs(s, prompt) + PASSING_MS)
    return wait(nowMs + PASSING_LOOK_MS);
  if (prompt.waiting !== why) return append({ type: 'prompt.waiting', prompt: prompt.id, why });
  return wait(nowMs + (isPassing ? PASSING_LOOK_MS : PERSON_LOOK_MS));
}

/** Until when an empty input box may still get the text of an interrupted prompt. Ours would be appended to it. */
function putBackUntilMs({ spec, phase, turn }: Session): number {
  return spec.drive === 'live' && phase.at === 'idle' && turn.stale !== null ? phase.sinceMs + PUT_BACK_MS : 0;
}

function sinceMs({ phase }: Session, prompt: Prompt): number {
  return Math.max(prompt.sinceMs, 'sinceMs' in phase ? phase.sinceMs : 0);
}

/** Sent to this run. One intent, one try: text that may have been typed is never typed again. */
export function nextSending(s: Session, prompt: Prompt, snapshot: Snapshot, nowMs: number): Step {
  const { acceptMsMax } = s.spec.policy;
  if (s.spec.drive === 'server') return nextDelivered(s, prompt, snapshot, nowMs);
  const isHeard = snapshot.transcript.received.includes(tokenOf(prompt));
  const turnId = snapshot.transcript.turnIds?.[tokenOf(prompt)] ?? null;
  if (isHeard) return append({ type: 'prompt.accepted', prompt: prompt.id, turnId });
  if (prompt.state === 'unsure') return wait(null);
  const spoken = say(prompt);
  const holding = snapshot.screen.is === 'holding' && s.attendance.control === null;
  // Only into our own text, as it is now: a person or a dialog may have appeared since the intent. If the text is still
  // there and nothing moves, an Enter of an earlier supervisor was lost.
  const isPressable = snapshot.tried === 'no' || (snapshot.tried === 'unknown' && isStill(snapshot));
  if (isPressable && prompt.entered && holding) return act({ kind: 'enter', run: prompt.run });
  if (snapshot.tried === 'no' && !prompt.entered && spoken !== null) {
    // A person may have started to type since the intent. Nothing of ours was typed yet, so the prompt can wait.
    const why = whyNot(s, prompt, snapshot);
    if (why !== null) return append({ type: 'prompt.waiting', prompt: prompt.id, why });
    return act({ kind: 'deliver', run: prompt.run, say: spoken });
  }
  const command = prompt.command ? nextCommand(s, prompt, snapshot, nowMs) : null;
  if (command) return command;
  const dueMs = prompt.sinceMs + (prompt.command ? Math.max(acceptMsMax, 2 * TAKEN_MS) : acceptMsMax);
  // Enter can be lost while the agent processes a large paste, or when a daemon dies. It is repeated a few times, and
  // only into our own text.
  const enterMs = prompt.sinceMs + acceptMsMax / 4;
  const enters = prompt.enters ?? Number(prompt.entered);
  if (holding && enters < ENTERS_MAX && nowMs >= enterMs) return append({ type: 'prompt.entering', prompt: prompt.id });
  const soonMs = nowMs < enterMs && !prompt.command ? enterMs : nowMs + PERSON_LOOK_MS;
  if (nowMs < dueMs) return wait(Math.min(dueMs, soonMs));
  return append({ type: 'prompt.unsure', prompt: prompt.id, waitedMs: nowMs - prompt.sinceMs });
}

/** Sent in a message. A message that a living process may have received is never sent to it again. */
function nextDelivered(s: Session, prompt: Prompt, snapshot: Snapshot, nowMs: number): Step {
  const { messages, tried } = snapshot;
  const waiting = (why: string): Step => append({ type: 'prompt.waiting', prompt: prompt.id, why });
  // The proof is about the interrupt then.
  if (messages === undefined || s.turn.interrupting !== null) return wait(nowMs + PERSON_LOOK_MS);
  const isUndone = messages.proof === 'not-done';
  const dueMs = prompt.sinceMs + s.spec.policy.acceptMsMax;
  // Its messages say more than its record: which turn it is, and what ended before.
  const isHeard = nowMs >= dueMs && snapshot.transcript.received.includes(tokenOf(prompt));
  if (isHeard) return append({ type: 'prompt.accepted', prompt: prompt.id, turnId: null });
  if (prompt.state === 'unsure') return isUndone ? waiting('it was not delivered') : wait(null);
  const spoken = say(prompt);
  if ((isUndone || (tried === 'no' && messages.proof !== 'done')) && spoken !== null) {
    const why = whyNot(s, prompt, snapshot);
    return why === null ? act({ kind: 'deliver', run: prompt.run, say: spoken }) : waiting(why);
  }
  if (nowMs < dueMs) return wait(Math.min(dueMs, nowMs + PERSON_LOOK_MS));
  return append({ type: 'prompt.unsure', prompt: prompt.id, waitedMs: nowMs - prompt.sinceMs });
}

/** A command is not confirmed: an empty box that waits again is the only sign, and some commands take time. */
function nextCommand(s: Session, prompt: Prompt, { screen, tried }: Snapshot, nowMs: number): Step | null {
  const { thinkMsMax = s.spec.policy.silenceMsMax } = s.spec.policy;
  if (screen.is === 'busy' && nowMs < prompt.sinceMs + thinkMsMax) return wait(nowMs + PERSON_LOOK_MS);
  // Whether a remedy was applied before we started will show when its prompt is sent again.
  const isTried = tried === 'yes' || (prompt.remedy && tried === 'unknown');
  if (!isTried || screen.is !== 'ready' || nowMs < prompt.sinceMs + TAKEN_MS) return null;
  return append({ type: 'prompt.answered', prompt: prompt.id, reply: '' });
}

function isStill({ terminal }: Snapshot): boolean {
  return terminal.is === 'alive' && terminal.quietMs > STILL_MS;
}

/** The sessions it depends on: nothing is sent before they have answered. */
export function nextFollowed(s: Session, { after }: Snapshot, nowMs: number): Step | null {
  if (s.followed) return null;
  switch (after.is) {
    case 'waiting':
      return wait(nowMs + PERSON_LOOK_MS);
    case 'met':
      return append({ type: 'session.followed', texts: after.texts });
    case 'failed':
      return append({
        type: 'session.closing',
        outcome: { kind: 'abandoned', fault: { kind: 'unstarted', why: after.why } },
      });
  }
}

/** The intent to send. */
export function sending(prompt: Prompt, turn: number, run: number): Extract<EventBody, { type: 'prompt.sending' }> {
  return { type: 'prompt.sending', prompt: prompt.id, turn, run };
}

const DRAFT = 'a person has started to type in the input box';
const STALE = 'the input box still contains an earlier prompt';

function whyNot(s: Session, prompt: Prompt, { screen }: Snapshot): string | null {
  if (s.attendance.control !== null) return `${actorText(s.attendance.control.by)} has control`;
  switch (screen.is) {
    case 'ready':
      return null;
    case 'busy':
      if (!prompt.now) return 'the agent is busy';
      return screen.draft ? DRAFT : null;
    case 'draft':
      return DRAFT;
    case 'stale':
    case 'holding':
      return STALE;
    case 'dialog':
      return `a dialog is open: ${screen.why.kind}`;
    case 'unknown':
      return s.spec.drive === 'server'
        ? 'the agent has not reported that it is ready'
        : 'the screen shows no input box';
  }
}
