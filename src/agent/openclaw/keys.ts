import type { Judgement } from '../seam/conversations.ts';

/** Whether the key of a conversation shows that no person takes part in it. */
export function systemJudgement(key: string): Judgement | null {
  if (key.includes('heartbeat')) return { is: 'system', why: 'it is a heartbeat' };
  if (key.includes(':cron:')) return { is: 'system', why: 'it runs on a schedule' };
  return key.includes(':subagent:') ? { is: 'system', why: 'it belongs to a sub-agent' } : null;
}
