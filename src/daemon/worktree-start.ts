import type { SessionView } from '../api/shapes.ts';
import type { InputId } from '../core/event.ts';
import type { Row } from '../journal/journal.ts';
import type { Parts } from './parts.ts';
import type { Started } from './sessions.ts';
import type { OwnedStart } from './spawn-start.ts';
import { attentiveViewOf } from './view.ts';

/** Starts a session, in a worktree of its own if that is asked for. A start that fails leaves none behind. */
export async function startIn(parts: Parts, input: OwnedStart): Promise<Started> {
  const { sessions, journal, worktrees } = parts;
  const { worktree, key } = input;
  const isKnown = key !== undefined && journal.taken(`start:${key}` as InputId) !== null;
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

/** A session with a look at what it does: whether it waits, and what work is in its worktree. */
export async function workingViewOf(parts: Parts, row: Row): Promise<SessionView> {
  const worktree = await parts.worktrees.look(row.session.spec.workspace, row.position);
  const view = attentiveViewOf(parts, row);
  return worktree === null ? view : { ...view, worktree };
}
