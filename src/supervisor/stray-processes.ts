import { isDormant } from '../core/next-dormant.ts';
import type { Session, SessionId } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { isLongLived } from '../core/spec.ts';
import { runProcesses } from '../terminal/end.ts';
import { sharedTable, tableReads } from '../terminal/process-table.ts';
import { refOf, runsOf } from './runs.ts';

interface Over {
  readonly run: number;
  /** How often the process table had been read when the run was first seen to be over. */
  readonly reads: number;
}

/**
 * Counts the processes that runs leave behind. A process table that was read before a run ended may lack its last
 * children and proves nothing: only one that was read after the end counts.
 */
export class StrayProcesses {
  readonly #state: string;
  readonly #over = new Map<SessionId, Over>();

  constructor(state: string) {
    this.#state = state;
  }

  /** Reading the whole process table is slow, so it is done only when the answer decides something. */
  count(session: Session, terminal: TerminalSnapshot): number {
    const { run } = refOf(session);
    if (run === 0 || terminal.is === 'alive') return 0;
    const known = this.#over.get(session.id);
    const over = known?.run === run ? known : { run, reads: tableReads() };
    this.#over.set(session.id, over);
    const { at } = session.phase;
    // What a turn left running stays when another agent takes over, as it does between turns.
    const isLeaving = session.conversation.switchTo !== undefined && isLongLived(session.spec);
    const isEnding = at === 'closing' || at === 'recovering' || isLeaving || isDormant(session);
    if (!isEnding) return 0;
    const table = sharedTable(over.reads);
    return runsOf(session).reduce((sum, ref) => sum + runProcesses(this.#state, ref, table).length, 0);
  }

  /** Forgets a session that is over. */
  forget(session: SessionId): void {
    this.#over.delete(session);
  }
}
