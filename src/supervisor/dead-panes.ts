import { existsSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { runOf, type Session } from '../core/session.ts';
import { runProcesses } from '../terminal/end.ts';
import { lookAtRun } from '../terminal/look.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { RunRef, Terminal } from '../terminal/terminal.ts';

/** What is needed to free panes. */
export interface DeadPanesWorld {
  readonly state: string;
  readonly clock: Clock;
  readonly tmux: Terminal;
  readonly log: Log;
}

/** Each change of a session frees the panes of earlier runs, so that there are never more than one or two. */
const RUNS_MAX = 8;

/** In these phases, everything of a dead run has been read. */
const JUDGED: readonly Session['phase']['at'][] = ['recovering', 'held', 'limited', 'idle', 'blocked'];

/**
 * Frees the panes of a live session's dead runs. tmux keeps the pane of an ended command, so that its last output and
 * screen can be read; the next run has its own pane.
 */
export async function freeDeadPanes(world: DeadPanesWorld, session: Session): Promise<void> {
  if (!mayUseTmux(session)) return;
  const last = runOf(session);
  for (let run = Math.max(1, last - RUNS_MAX); run <= last; run += 1) {
    const ref = { session: session.id, run };
    if (run === last && !JUDGED.includes(session.phase.at)) continue;
    if (existsSync(runFolder(world.state, ref).tmux) && isDead(world, ref)) await free(world, ref);
  }
}

/** The panes that ended sessions may still have. */
export async function freeAllPanes(world: DeadPanesWorld, session: Session): Promise<void> {
  if (!mayUseTmux(session)) return;
  const last = runOf(session);
  for (let run = 1; run < last; run += 1) {
    const ref = { session: session.id, run };
    if (existsSync(runFolder(world.state, ref).tmux)) await free(world, ref);
  }
}

function mayUseTmux({ spec }: Session): boolean {
  return spec.terminal === 'tmux' || spec.conversation?.screen === 'tmux';
}

function isDead({ state, clock }: DeadPanesWorld, ref: RunRef): boolean {
  const { is } = lookAtRun(state, ref, { clock, drained: false });
  return (is === 'dead' || is === 'lost') && runProcesses(state, ref).length === 0;
}

async function free({ tmux, log }: DeadPanesWorld, ref: RunRef): Promise<void> {
  try {
    await tmux.release(ref);
  } catch (error) {
    // Retried at the next change, at the next start, and at the end of the session.
    log('a pane cannot be freed', { session: ref.session, run: ref.run, why: String(error) });
  }
}
