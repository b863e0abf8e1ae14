import type { EventBody, Step } from './event.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, wait } from './steps.ts';

/** Wall time may be set meanwhile, so it is looked at again now and then. */
const WALL_LOOK_MS = 10_000;

/**
 * A run that would open a conversation too early waits, and says why. The reason is in the journal, and the time is
 * observed again by each daemon.
 */
export function delayed(s: Session, { transcript: { delay }, wallMs }: Snapshot, step: Step, nowMs: number): Step {
  if (delay === undefined || wallMs >= delay.untilMs || !isResuming(step)) return step;
  const { untilMs, why } = delay;
  if (s.conversation.delay?.untilMs === untilMs) return wait(nowMs + Math.min(untilMs - wallMs, WALL_LOOK_MS));
  const prompt = s.prompts.find(({ state }) => state === 'queued');
  const told: EventBody[] = prompt === undefined ? [] : [{ type: 'prompt.waiting', prompt: prompt.id, why }];
  return append({ type: 'run.delayed', run: runOf(s) + 1, untilMs, why }, ...told);
}

function isResuming(step: Step): boolean {
  return step.do === 'append' && step.events.some((body) => body.type === 'run.starting' && body.how === 'resume');
}
