import type { ConversationId } from '../core/session.ts';

/**
 * Another id for the conversation of a run, made from the one of its session. Both ends of it differ: some agents name
 * their files after the first digits.
 */
export function derivedId(own: ConversationId, run: number): ConversationId {
  const first = ((Number.parseInt(own.slice(0, 8), 16) + run) >>> 0).toString(16).padStart(8, '0');
  return `${first}${own.slice(8, -12)}${run.toString(16).padStart(12, '0')}` as ConversationId;
}
