import type { Step } from './event.ts';
import { CHAIN_MAX, childUpdatesText } from './ownership.ts';
import { postponedOf } from './postponed.ts';
import type { Prompt, PromptId, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, wait } from './steps.ts';

/** Updates that arrive together are delivered together. */
export const COALESCE_MS = 50;

/** Updates for an idle owner: those that may start a turn do so, all in one prompt. */
export function nextUpdatePrompt(s: Session, nowMs: number): Step | null {
  const urgent = s.updates.queued.filter(({ isUrgent }) => isUrgent);
  const [first] = urgent;
  if (first === undefined || s.attendance.control !== null) return null;
  const chain = Math.max(...urgent.map((wake) => wake.chain)) + 1;
  if (chain > (s.spec.spawn?.chainMax ?? CHAIN_MAX))
    return append({ type: 'update.suppressed', count: urgent.length, chain });
  const dueMs = first.sinceMs + COALESCE_MS;
  if (nowMs < dueMs) return wait(dueMs);
  const prompt = `wake-${s.updates.queued.at(-1)?.position}` as PromptId;
  return append(
    { type: 'prompt.queued', prompt, text: childUpdatesText(s.updates.queued) },
    { type: 'update.delivered', prompt, count: s.updates.queued.length, chain },
  );
}

/**
 * Updates are delivered with a prompt that was never sent: before it, or behind older updates if it consists of those.
 * A command for the agent itself gets none.
 */
export function nextUpdatesFirst(s: Session, prompt: Prompt): Step | null {
  const isFresh = prompt.state === 'queued' && prompt.turn === 0 && !prompt.command && !prompt.remedy;
  // Staged updates are not delivered in a second way.
  if (s.updates.queued.length === 0 || !isFresh || s.updates.inTurn !== null) return null;
  const updates = childUpdatesText(s.updates.queued);
  const isUpdates = prompt.id === s.updates.prompt?.id;
  const text = isUpdates ? `${prompt.text}\n\n${updates}` : `${updates}\n\n${prompt.text}`;
  return append({ type: 'update.delivered', prompt: prompt.id, count: s.updates.queued.length, chain: 0, text });
}

/** A session that expects an update, or a decision about a postponed call, does not end before it arrives. */
export function isExpecting(s: Session, snapshot: Snapshot): boolean {
  return snapshot.expects === true || postponedOf(s).length > 0 || s.updates.queued.some(({ isUrgent }) => isUrgent);
}
