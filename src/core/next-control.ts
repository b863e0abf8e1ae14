import { actorText, byHost, person } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import { type Control, type Phase, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, DRAIN_LOOK_MS, draining, ended, PERSON_LOOK_MS, starting, wait } from './steps.ts';

/** A person who never attached after asking for the screen, or who has left, is not waited for. */
const VISIT_MS_MAX = 30_000;

/** A person who is attached has control until they leave. */
export function nextControl(s: Session, snapshot: Snapshot): Step | null {
  if (s.spec.drive === 'command' || snapshot.terminal.is !== 'alive') return null;
  if (snapshot.viewers > 0 && s.attendance.control === null) {
    return append({ type: 'control.taken', by: person(null), how: 'attach' });
  }
  return snapshot.viewers === 0 && s.attendance.control?.how === 'attach' ? append(returned) : null;
}

const returned: EventBody = { type: 'control.returned', by: person(null) };

/** A person may look into a conversation driven by turns, also while it is held or limited. */
export function nextShown(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  if (!s.attendance.visitWanted || s.spec.drive !== 'turns') return null;
  if (snapshot.holder !== undefined) return wait(nowMs + PERSON_LOOK_MS);
  return snapshot.slot ? append({ ...starting(s, snapshot), how: 'visit' }) : wait(null);
}

/** A conversation driven by turns is open in the agent's own screen for a person; it is closed when they leave. */
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

/** A reply to them shows that account and conversation work again; it says nothing about a budget or the host. */
function solved(s: Session): EventBody[] {
  if (s.attendance.suspendedPhase?.solved !== true) return [];
  const { phase } = s.attendance.suspendedPhase;
  if (phase.at === 'limited') return [{ type: 'session.unlimited', run: runOf(s), by: byHost('visit') }];
  const isOver = SOLVABLE.includes(phase.why.kind);
  return isOver ? [{ type: 'session.released', run: runOf(s), by: byHost('visit') }] : [];
}

const SOLVABLE: readonly string[] = ['login', 'billing', 'limit', 'too-long', 'poisoned'];

/** A prompt that arrives during a visit reports that it waits for the person. */
function nextWaiting(s: Session, control: Control): Step | null {
  const prompt = s.prompts[0];
  const why = `${actorText(control.by)} has control`;
  if (prompt?.state !== 'queued' || prompt.waiting === why) return null;
  return append({ type: 'prompt.waiting', prompt: prompt.id, why });
}
