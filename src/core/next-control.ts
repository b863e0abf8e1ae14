import { actorText, byHost, person } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import { type Control, type Phase, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, DRAIN_LOOK_MS, draining, ended, PERSON_LOOK_MS, starting, wait } from './steps.ts';

/** A person who was shown the agent's screen and never came, or came and left, is not waited for any longer. */
const VISIT_MS_MAX = 30_000;

/** Who can type is who is there: a person who attached has control until they leave. */
export function nextControl(s: Session, snapshot: Snapshot): Step | null {
  if (s.spec.drive === 'command' || snapshot.terminal.is !== 'alive') return null;
  if (snapshot.viewers > 0 && s.attendance.control === null) {
    return append({ type: 'control.taken', by: person(null), how: 'attach' });
  }
  return snapshot.viewers === 0 && s.attendance.control?.how === 'attach' ? append(returned) : null;
}

const returned: EventBody = { type: 'control.returned', by: person(null) };

/** A conversation of turns is shown to a person who wants to see it, also while it is parked. */
export function nextShown(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  if (!s.attendance.visitWanted || s.spec.drive !== 'turns') return null;
  if (snapshot.holder !== undefined) return wait(nowMs + PERSON_LOOK_MS);
  return snapshot.slot ? append({ ...starting(s, snapshot), how: 'visit' }) : wait(null);
}

/** A conversation of turns that is shown to a person on the agent's own screen; when they leave, it is closed. */
export function nextVisited(
  s: Session,
  phase: Extract<Phase, { at: 'visited' }>,
  snapshot: Snapshot,
  nowMs: number,
): Step {
  const { terminal } = snapshot;
  if (terminal.is !== 'alive') {
    if (draining(snapshot)) return wait(nowMs + DRAIN_LOOK_MS);
    return append(...(s.attendance.control?.how === 'attach' ? [returned] : []), ended(s, snapshot), ...solved(s));
  }
  const control = nextControl(s, snapshot);
  if (control) return control;
  if (s.attendance.control !== null) return nextWaiting(s, s.attendance.control) ?? wait(nowMs + PERSON_LOOK_MS);
  if (s.attendance.visitWanted && nowMs < phase.sinceMs + VISIT_MS_MAX) return wait(nowMs + PERSON_LOOK_MS);
  return act({ kind: 'close', run: phase.run });
}

/** An answer they got shows that account and conversation work again; of a budget or a host it tells nothing. */
function solved(s: Session): EventBody[] {
  if (s.attendance.suspendedPhase?.solved !== true) return [];
  const { phase } = s.attendance.suspendedPhase;
  if (phase.at === 'limited') return [{ type: 'session.unlimited', run: runOf(s), by: byHost('visit') }];
  const isOver = SOLVABLE.includes(phase.why.kind);
  return isOver ? [{ type: 'session.released', run: runOf(s), by: byHost('visit') }] : [];
}

const SOLVABLE: readonly string[] = ['login', 'billing', 'limit', 'too-long', 'poisoned'];

/** A prompt that comes while a person is there says that it waits for them. */
function nextWaiting(s: Session, control: Control): Step | null {
  const prompt = s.prompts[0];
  const why = `${actorText(control.by)} has control`;
  if (prompt?.state !== 'queued' || prompt.waiting === why) return null;
  return append({ type: 'prompt.waiting', prompt: prompt.id, why });
}
