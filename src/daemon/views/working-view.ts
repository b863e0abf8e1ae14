import type { SessionView } from '../../api/shapes.ts';
import type { Row } from '../../journal/journal.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { attentiveViewOf } from './view.ts';

type ViewParts = Parameters<typeof attentiveViewOf>[0];

interface WorkingParts extends ViewParts {
  readonly worktrees: Pick<Worktrees, 'look'>;
}

/** A session with its current activity: whether it waits for input, and the changes in its worktree. */
export async function workingViewOf(parts: WorkingParts, row: Row): Promise<SessionView> {
  const worktree = await parts.worktrees.look(row.session.spec.workspace, row.position);
  const view = attentiveViewOf(parts, row);
  return worktree === null ? view : { ...view, worktree };
}
