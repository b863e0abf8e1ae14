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

/** A command that ends by itself may leave processes running: they are its own, and go on. */
export class Leftovers {
  readonly #state: string;
  readonly #table: ProcessTable;

  /** As it is now; the same for many sessions. */
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

  /** Without its folder nobody could find them any more. */
  refuse(session: Session): void {
    const count = this.count(session);
    if (count === 0) return;
    const name = nameOf(session);
    const what = count === 1 ? 'a process that it started still runs' : `${count} processes that it started still run`;
    throw new OutlastError('session_live', `${name} has ended, but ${what}: outlast stop --leftovers ${name}`);
  }
}

/** Ends what a session left running; gives how many processes that were. */
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
