import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import { runsOf } from '../../supervisor/runs.ts';
import { endRun, runProcesses } from '../../terminal/end.ts';
import { type ProcessTable, systemTable } from '../../terminal/process-table.ts';

interface LeftoverParts {
  readonly config: { readonly state: string };
  readonly clock: Clock;
}

/** Processes that a command left running when it ended. They are intended, and keep running. */
export class Leftovers {
  readonly #state: string;
  readonly #table: ProcessTable;

  /** Takes one look at the processes, for many sessions. */
  constructor(state: string) {
    this.#state = state;
    const system = systemTable();
    const rows = system.rows();
    const markers = system.markers(rows.map(({ pid }) => pid));
    this.#table = { ...system, rows: () => rows, markers: () => markers };
  }

  count(session: Session): number {
    return runsOf(session).reduce((sum, ref) => sum + runProcesses(this.#state, ref, this.#table).length, 0);
  }

  /** Throws if the session has such processes: without its folder they could not be found any more. */
  refuse(session: Session): void {
    const count = this.count(session);
    if (count === 0) return;
    const name = nameOf(session);
    const what = count === 1 ? 'a process that it started still runs' : `${count} processes that it started still run`;
    throw new OutlastError('session_live', `${name} has ended, but ${what}: outlast stop --leftovers ${name}`);
  }
}

/** Ends the processes that a session left running; returns how many. */
export async function endLeftovers(
  { config, clock }: LeftoverParts,
  session: Session,
  graceMs: number,
  signal: AbortSignal,
): Promise<number> {
  const count = new Leftovers(config.state).count(session);
  if (count > 0) for (const ref of runsOf(session)) await endRun(config.state, ref, { graceMs, clock, signal });
  return count;
}
