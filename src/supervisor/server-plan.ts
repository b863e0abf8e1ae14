import type { HelloPlan } from '../agent/seam/server.ts';
import type { Session } from '../core/session.ts';

/**
 * What a connection to the current run begins with, as far as the journal knows. A run that was launched has no
 * conversation until it has named one; from then on every connection continues that one.
 */
export function helloPlan({ spec, run, conversation }: Session): HelloPlan {
  const hasNamed = run?.reported === true;
  return {
    workspace: spec.workspace,
    conversation: run?.how === 'launch' && !hasNamed ? null : conversation.id,
    model: spec.conversation?.model ?? null,
    // It is given its first prompt after it has named its conversation: before that nothing can be open in it.
    isAdopted: hasNamed,
    isGated: spec.conversation?.gate !== undefined,
  };
}
