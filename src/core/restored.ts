import { unreachable } from '../base/assert.ts';
import type { EventBody, Step } from './event.ts';
import { type Phase, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { isLongLived } from './spec.ts';

// A journal that was rebuilt or restored may be older than reality: a queued prompt may have been sent, an idle session
// may be working. So a session of such a journal starts nothing by itself until a person resumes it. Its running
// process is adopted, and what is observed is recorded.

/** Why a session is held whose journal was rebuilt or restored. */
export const JOURNAL = 'journal';

/** Held: the config no longer has its agent. */
export const UNKNOWN_AGENT = 'unknown-agent';

/** Holds that say nothing about the session itself: it continues in the phase that it had. */
const SUSPENDING: readonly string[] = [JOURNAL, UNKNOWN_AGENT];

const TEXT =
  'the journal was rebuilt or restored, and may not know what this session did last. Check that, then: outlast resume';

/** Suppresses what a session would start by itself before it is resumed. */
export function heldBack(s: Session, snapshot: Snapshot, step: Step): Step {
  if (!s.restored || s.phase.at === 'closing' || s.phase.at === 'ended' || isVisit(s)) return step;
  const isHeld = s.phase.at === 'held' && s.phase.why.kind === JOURNAL;
  if (isHeld) return isIntent(s, step) ? { do: 'wait', untilMs: null } : step;
  if (!isWithout(s, snapshot) && !isIntent(s, step)) return step;
  return {
    do: 'append',
    events: [{ type: 'session.held', run: runOf(s), why: { kind: JOURNAL, text: TEXT, needsResume: true } }],
  };
}

/** It has no process. What is observed of a command that ran is recorded; one that did not run is held at once. */
function isWithout({ spec, phase }: Session, { terminal }: Snapshot): boolean {
  if (spec.drive !== 'command') return terminal.is !== 'alive';
  return phase.at === 'queued' || (phase.at === 'opening' && terminal.is === 'absent');
}

/** A person asked to see it. */
function isVisit({ phase, run }: Session): boolean {
  return run?.how === 'visit' && (phase.at === 'opening' || phase.at === 'visited');
}

function isIntent(s: Session, step: Step): boolean {
  switch (step.do) {
    case 'append':
      return step.events.some((body) => isBeginning(s, body));
    case 'act':
      return ['open', 'deliver', 'enter', 'withdraw', 'stage'].includes(step.effect.kind);
    case 'wait':
      return false;
    default:
      return unreachable(step);
  }
}

function isBeginning(s: Session, body: EventBody): boolean {
  if (body.type === 'run.starting') return body.how !== 'visit';
  // The end of a command is observed, or its own timeout; the end of an agent is a decision of ours.
  if (body.type === 'session.closing') return s.spec.drive !== 'command';
  return ['prompt.sending', 'prompt.entering', 'turn.interrupting', 'remedy.begun'].includes(body.type);
}

/** Is it held for a reason that lies outside of it? */
export function isSuspended({ phase }: Pick<Session, 'phase'>): boolean {
  return phase.at === 'held' && SUSPENDING.includes(phase.why.kind);
}

/** The phase in which a session is held; one whose hold lies outside of it remembers where it was. */
export function heldPhase(s: Session, body: Extract<EventBody, { type: 'session.held' }>, nowMs: number): Phase {
  const held = { at: 'held', run: body.run, why: body.why, sinceMs: nowMs } as const;
  return SUSPENDING.includes(body.why.kind) ? { ...held, suspended: s.phase } : held;
}

/**
 * Where a suspended session was when it was held; null: it was held for something else, or has to be looked at again.
 */
export function suspendedOf({ phase, spec }: Session, nowMs: number): Phase | null {
  const suspended = phase.at === 'held' ? phase.suspended : undefined;
  if (suspended === undefined) return null;
  const isLooked = ['starting', 'idle', 'working', 'blocked'].includes(suspended.at);
  // A live agent may have continued meanwhile: it has to show that it is ready, unless its process had been ended.
  const isDormant = suspended.at === 'idle' && suspended.dormant === true;
  if (isLooked && isLongLived(spec) && !isDormant) return null;
  return 'sinceMs' in suspended && suspended.at !== 'limited' ? { ...suspended, sinceMs: nowMs } : suspended;
}
