import type { Clock } from '../base/clock.ts';
import type { TerminalSight } from '../core/sight.ts';
import { runName } from '../terminal/run-folder.ts';
import type { RunRef } from '../terminal/terminal.ts';

/**
 * How long runs have printed nothing, in steady time. Files only know the wall clock: a machine that slept, or a clock
 * that was set, would make a run look silent that had no time to speak.
 */
export class Quiet {
  readonly #clock: Clock;
  readonly #sinceMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The same sight with a silence that no clock made up. The first look at a run begins to count. */
  seen(ref: RunRef, sight: TerminalSight): TerminalSight {
    const name = runName(ref);
    if (sight.is !== 'alive') {
      this.#sinceMs.delete(name);
      return sight;
    }
    const nowMs = this.#clock.steadyMs();
    const sinceMs = Math.max(this.#sinceMs.get(name) ?? nowMs, nowMs - sight.quietMs);
    this.#sinceMs.set(name, sinceMs);
    return { ...sight, quietMs: nowMs - sinceMs };
  }
}
