import type { ApprovalView } from '../../api/contract-approvals.ts';
import { isOdd } from '../words/visible.ts';

/** How long a question has to be seen before an answer counts, in milliseconds. */
export const ARMED_MS = 400;
/** How long Allow has to be held where a look is easily wrong. */
export const HOLD_MS = 600;

/** Why Allow has to be held: no rule can describe the call, it leaves the folder, or it has hidden characters. */
export type Caution = 'no rule' | 'outside' | 'hidden';

/** What is easily overlooked in a question; null: nothing. */
export function cautionOf(
  asked: Pick<ApprovalView, 'input' | 'rule' | 'actions' | 'workspace' | 'tool'>,
): Caution | null {
  if (hasHidden(asked.input) || isOdd(asked.tool)) return 'hidden';
  const paths = (asked.actions ?? []).flatMap(({ is, text }) => (is === 'write' ? [text] : []));
  if (paths.some((path) => isOutside(path, asked.workspace))) return 'outside';
  return asked.rule === null ? 'no rule' : null;
}

function hasHidden(value: unknown): boolean {
  if (typeof value === 'string') return isOdd(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, each]) => isOdd(name) || hasHidden(each));
}

function isOutside(path: string, workspace: string): boolean {
  // What climbs up may come back, but nobody should have to find out where it ends.
  if (path.startsWith('~') || path.split('/').includes('..')) return true;
  if (!path.startsWith('/')) return false;
  return path !== workspace && !path.startsWith(workspace === '/' ? '/' : `${workspace}/`);
}
