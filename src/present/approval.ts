import type { ApprovalView } from '../api/contract-approvals.ts';
import { durationText } from './duration.ts';

/** How long an approval waits, and what happens then. */
export function leftText({ leftMs, mode }: Pick<ApprovalView, 'leftMs' | 'mode'>): string {
  if (leftMs === null) return 'waits without a timeout';
  return `${mode === 'watch' ? 'allowed' : 'auto-denied'} in ${durationText(leftMs)}`;
}
