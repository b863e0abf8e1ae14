import type { HelloPlan } from '../agent/seam/server.ts';
import type { Session } from '../core/session.ts';

/**
 * What a connection to the current run begins with, as far as the journal knows. A run that was launched has no
 * conversation until it has named one; from then on every connection continues that one.
 */
export function helloPlan({ spec, run, conversation, recovery }: Session): HelloPlan {
  const hasNamed = run?.reported === true;
  const isNew = (run?.how === 'launch' || run?.how === 'fork') && !hasNamed;
  const wanted = spec.conversation;
  return {
    workspace: spec.workspace,
    // A conversation that was taken over is known before its first run.
    conversation: isNew ? null : (conversation.id ?? wanted?.id ?? null),
    origin: isNew ? (recovery.remediation.origin ?? wanted?.forkOf ?? null) : null,
    model: wanted?.model ?? null,
    thinking: wanted?.thinking ?? null,
    mode: wanted?.mode ?? 'none',
    modeWord: wanted?.modeWord ?? null,
    isTrusted: wanted?.trusted ?? false,
    // It is given its first prompt after it has named its conversation: before that nothing can be open in it.
    isAdopted: hasNamed,
    isGated: wanted?.gate !== undefined,
  };
}
