import type { Effect, EventBody, Sight, Step } from './event.ts';
import { runOf } from './fold.ts';
import type { Fault, Prompt, Session } from './session.ts';

// The pieces that steps are made of.

/** Output may arrive this long after the exit; then the run is over all the same, and said to be incomplete. */
const DRAIN_MS_MAX = 1_000;

export const append = (...events: EventBody[]): Step => ({ do: 'append', events });
export const act = (effect: Effect): Step => ({ do: 'act', effect });
export const wait = (untilMs: number | null): Step => ({ do: 'wait', untilMs });

/** The exit is known, the last output is still on its way. */
export function draining(sight: Sight): boolean {
  const { terminal } = sight;
  return terminal.is === 'dead' && !terminal.drained && terminal.exitAgeMs < DRAIN_MS_MAX;
}

/** The end of the current run as a fact. */
export function ended(s: Session, sight: Sight): EventBody {
  const { terminal } = sight;
  const exit = terminal.is === 'dead' ? terminal.exit : null;
  const outputBytes = terminal.is === 'absent' ? 0 : terminal.outputBytes;
  const complete = terminal.is === 'dead' && terminal.drained && s.run?.incomplete === false;
  return { type: 'run.ended', run: runOf(s), exit, outputBytes, complete };
}

/** For agents: a run that is gone is a fault. For a live run: null. */
export function gone(s: Session, sight: Sight, nowMs: number): Step | null {
  if (sight.terminal.is === 'dead') return faulted(s, { kind: 'exited', exit: sight.terminal.exit }, nowMs);
  if (sight.terminal.is !== 'alive') return faulted(s, lost(s, sight), nowMs);
  return null;
}

/** Gone without a word: with the machine, or by itself. */
export function lost(s: Session, sight: Sight): Fault {
  return { kind: 'lost', reboot: s.run !== null && s.run.boot !== sight.boot };
}

/** Records a fault; a command is then closed, an agent resumed after a pause. */
export function faulted(s: Session, fault: Fault, nowMs: number): Step {
  const { backoffMsMin, backoffMsMax } = s.spec.policy;
  const retryAtMs = nowMs + Math.min(backoffMsMin * 2 ** s.faults, backoffMsMax);
  return append({ type: 'run.faulted', run: runOf(s), fault, retryAtMs });
}

/** The intent to open the next run. */
export function starting(s: Session, sight: Sight): EventBody {
  return { type: 'run.starting', run: runOf(s) + 1, how: how(s), boot: sight.boot };
}

/** In turns the prompt travels with the launch, so it is sent anew when a run is started anew. */
export function resending(s: Session, sight: Sight): EventBody[] {
  const prompt = s.prompts[0];
  if (s.spec.drive !== 'turns' || prompt === undefined) return [];
  const turn = sight.transcript.heard.includes(tokenOf(prompt)) ? prompt.turn + 1 : Math.max(prompt.turn, 1);
  return [{ type: 'prompt.sending', prompt: prompt.id, turn, run: runOf(s) + 1 }];
}

/** A conversation that is known is resumed; else a new one is launched. */
export function how(s: Session): 'launch' | 'resume' {
  return s.conversation === null ? 'launch' : 'resume';
}

/** What is said to the agent: the prompt, or after an interruption that it should go on. */
export function say(prompt: Prompt | undefined): { token: string; text: string } | null {
  if (prompt === undefined) return null;
  return { token: tokenOf(prompt), text: prompt.turn > 1 ? CONTINUE : prompt.text };
}

const CONTINUE = 'You were interrupted. Check what is already done, then continue where you left off.';

/** Tells one sending of a prompt from every other. */
export function tokenOf(prompt: Prompt): string {
  return `${prompt.id}#${prompt.turn}`;
}

/** The intent whose effect must not be repeated, or null when the next effect may safely be. */
export function intentOf(s: Session): string | null {
  const prompt = s.prompts[0];
  if (prompt === undefined && s.run?.cut) return `hangup ${s.run.number}`;
  if (prompt === undefined || prompt.state !== 'sending') return null;
  return `${prompt.entered ? 'enter' : 'type'} ${tokenOf(prompt)} ${prompt.run}`;
}
