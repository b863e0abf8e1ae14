import { inputId } from '../../core/cause.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import type { Sessions, Started } from './sessions.ts';
import type { OwnedStart } from './spawn-start.ts';

/** The dependencies of a start in a worktree. */
export interface WorktreeStartParts {
  readonly sessions: Sessions;
  readonly journal: Journal;
  readonly worktrees: Worktrees;
}

/** Starts a session, in a new worktree if requested. A failed start leaves none behind. */
export async function startIn(parts: WorktreeStartParts, input: OwnedStart): Promise<Started> {
  const { sessions, journal, worktrees } = parts;
  const { worktree, key } = input;
  const isKnown = key !== undefined && journal.taken(inputId('start', key)) !== null;
  if (worktree === undefined || isKnown) return sessions.start(input);
  const made = await worktrees.make(input.cwd, { branch: worktree, name: input.name });
  try {
    const started = sessions.start({ ...input, cwd: made.workspace });
    // The same start came twice at once: the other one has a worktree already.
    if (started.row.session.spec.workspace !== made.workspace) await worktrees.undo(made);
    return started;
  } catch (error) {
    await worktrees.undo(made);
    throw error;
  }
}
