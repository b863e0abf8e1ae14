import type { Clock } from '../base/clock.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';

interface Seen {
  readonly printed: string;
  readonly sinceMs: number;
}

/**
 * How long runs have been silent, in steady time. Files only have wall-clock times: after a sleep, or a clock that was
 * set forward, a run would look silent without having had time to print; after a clock that was set back, a silent one
 * would look active.
 */
export class Quiet {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The snapshot with a silence measured by our own clock. The first look at a run starts the measurement. */
  seen(ref: RunRef, snapshot: TerminalSnapshot): TerminalSnapshot {
    const name = runName(ref);
    if (snapshot.is !== 'alive') {
      this.#seen.delete(name);
      return snapshot;
    }
    const nowMs = this.#clock.steadyMs();
    const printed = snapshot.printed ?? String(snapshot.outputBytes);
    const before = this.#seen.get(name) ?? { printed, sinceMs: nowMs };
    // Printed at some time between the two looks; only the files know when exactly.
    const sinceMs = before.printed === printed ? before.sinceMs : Math.max(before.sinceMs, nowMs - snapshot.quietMs);
    this.#seen.set(name, { printed, sinceMs });
    return { ...snapshot, quietMs: nowMs - sinceMs };
  }
}
