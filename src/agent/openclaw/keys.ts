import type { Judgement } from '../seam/conversations.ts';

/** What the key of a conversation says: nobody talks in it. */
export function systemJudgement(key: string): Judgement | null {
  if (key.includes('heartbeat')) return { is: 'system', why: 'it is a heartbeat' };
  if (key.includes(':cron:')) return { is: 'system', why: 'it runs by the clock' };
  return key.includes(':subagent:') ? { is: 'system', why: 'it is the work of a sub-agent' } : null;
}
