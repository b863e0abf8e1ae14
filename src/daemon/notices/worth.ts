import { unreachable } from '../../base/assert.ts';
import type { Outcome, Session } from '../../core/session.ts';

/** Whether a session failed: its exit, a limit of its own, its last turn, or all tries to recover it. */
export function isFailure(outcome: Outcome): boolean {
  switch (outcome.kind) {
    case 'done':
      return outcome.exit !== null && outcome.exit.status !== 0;
    case 'stopped':
      return outcome.by.is === 'policy';
    case 'failed':
    case 'abandoned':
      return true;
    default:
      return unreachable(outcome);
  }
}

/** Whether the session's own setting wants a notice about this end. */
export function isWorthNotice(outcome: Outcome, session: Session): boolean {
  if (session.spec.notify === 'never') return false;
  return session.spec.notify === 'always' || !isUnremarkable(outcome, session);
}

/** True for an end that needs no notice: it printed nothing, and succeeded or was stopped by a caller, who knows. */
function isUnremarkable(outcome: Outcome, session: Session): boolean {
  if (session.run?.outputBytes !== 0) return false;
  return outcome.kind === 'stopped' ? !isFailure(outcome) : outcome.kind === 'done' && outcome.exit?.status === 0;
}
