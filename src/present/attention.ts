import type { SessionView } from '../api/shapes.ts';

/** How much a session concerns the person who looks: the sections of every overview, in this order. */
export const ATTENTIONS = ['needs you', 'working', 'parked', 'idle', 'ended'] as const;

export type Attention = (typeof ATTENTIONS)[number];

type Concerning = Pick<SessionView, 'phase' | 'held' | 'approvals' | 'prompts' | 'waitsForInput'>;

/** The section of a session. parked: it waits, and goes on without a person's help. */
export function attentionOf({ phase, held, approvals, prompts, waitsForInput }: Concerning): Attention {
  if (phase === 'ended') return 'ended';
  const isAsking = approvals > 0 || waitsForInput === true || prompts.some(({ state }) => state === 'unsure');
  if (held !== null || isAsking) return 'needs you';
  switch (phase) {
    case 'held':
    case 'blocked':
      return 'needs you';
    case 'queued':
    case 'limited':
    case 'visited':
      return 'parked';
    case 'idle':
      return 'idle';
    default:
      return 'working';
  }
}
