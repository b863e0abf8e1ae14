import type { SessionView } from '../../api/shapes.ts';
import type { Row } from '../../journal/journal.ts';
import { attentiveViewOf } from '../views/view.ts';
import type { Parts } from './parts.ts';

/** A session with a look at what it does: whether it waits, and what work is in its worktree. */
export async function workingViewOf(parts: Parts, row: Row): Promise<SessionView> {
  const worktree = await parts.worktrees.look(row.session.spec.workspace, row.position);
  const view = attentiveViewOf(parts, row);
  return worktree === null ? view : { ...view, worktree };
}
