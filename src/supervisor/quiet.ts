import type { Clock } from '../base/clock.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';

interface Seen {
  readonly printed: string;
  readonly sinceMs: number;
}

/**
 * How long runs have printed nothing, in steady time. Files only know the wall clock: a machine that slept, or a clock
 * that was set ahead, would make a run look silent that had no time to speak; and one that was set back would make a
 * silent one look as if it spoke all the time.
 */
export class Quiet {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The snapshot with a silence that was measured by our own clock. The first look at a run begins to count. */
  seen(ref: RunRef, snapshot: TerminalSnapshot): TerminalSnapshot {
    const name = runName(ref);
    if (snapshot.is !== 'alive') {
      this.#seen.delete(name);
      return snapshot;
    }
    const nowMs = this.#clock.steadyMs();
    const printed = snapshot.printed ?? String(snapshot.outputBytes);
    const before = this.#seen.get(name) ?? { printed, sinceMs: nowMs };
    // It was printed at some time between the two looks; when exactly, only the files know.
    const sinceMs = before.printed === printed ? before.sinceMs : Math.max(before.sinceMs, nowMs - snapshot.quietMs);
    this.#seen.set(name, { printed, sinceMs });
    return { ...snapshot, quietMs: nowMs - sinceMs };
  }
}
