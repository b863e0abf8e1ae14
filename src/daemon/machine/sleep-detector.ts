import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { type Clock, monotonicMs } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { uptimeMs } from '../../base/uptime.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Away, beatFile, keepAway } from './away.ts';

export interface SleepDetectorParts {
  readonly state: string;
  readonly clock: Clock;
  readonly boot: string;
  readonly journal: Pick<Journal, 'fact' | 'saveFact'>;
  readonly log: Log;
  /** Called for each detected sleep. */
  readonly wentAway: (away: Away) => void;
  /** Called when somebody set the clock, forward or back. */
  readonly clockSet?: () => void;
  /** How long the machine has slept since its start. */
  readonly sleptMs?: () => number;
}

/** Detects that the machine slept. The last saved time shows when the sleep or shutdown began. */
export interface SleepDetector {
  /** A caller reports that the machine woke up. If that wake was already detected, it is the same one. */
  woke(): { readonly away: Away; readonly isNew: boolean };
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Clocks are read one after the other, and a loaded machine may take a moment between the two. */
const SLEEP_MS_MIN = 2_000;
/** NTP corrects a clock by less. */
const CLOCK_SET_MS_MIN = 2_000;
/** How late a reported wake may be. */
const SAME_MS = 60_000;
/** Fixed width: a shorter number would leave digits of the previous one. */
const DIGITS = 15;

/**
 * Saves the time once a second, and compares two kernel clocks: one that continues while the machine sleeps, and one
 * that does not. The wall clock cannot be used, because people set it.
 */
export function startSleepDetector(parts: SleepDetectorParts): SleepDetector {
  const clocks = new KernelClocks(parts);
  const stopping = new AbortController();
  const watching = watch(clocks, parts.clock, stopping.signal);
  return {
    woke: () => clocks.woke(),
    async stop() {
      stopping.abort();
      await watching;
      clocks.close();
    },
  };
}

async function watch(clocks: KernelClocks, clock: Clock, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    clocks.compare();
    await clock.sleep(LOOK_MS, stopping);
  }
}

/** The two clocks, and the file with the last saved time. */
class KernelClocks {
  readonly #parts: SleepDetectorParts;
  readonly #file: number;
  #sleptMs: number;
  #lastMs: number;
  /** How far the wall clock is ahead of the time since the boot. */
  #aheadMs: number;
  #last: Away | null = null;

  constructor(parts: SleepDetectorParts) {
    this.#parts = parts;
    this.#file = openSync(beatFile(parts.state), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#sleptMs = this.#slept();
    this.#lastMs = parts.clock.wallMs();
    this.#aheadMs = this.#lastMs - monotonicMs() - this.#sleptMs;
  }

  /** The sleep since the last call; null: none. */
  compare(): Away | null {
    const { clock } = this.#parts;
    const sleptMs = this.#slept();
    const isWake = sleptMs - this.#sleptMs >= SLEEP_MS_MIN;
    const fromMs = this.#lastMs;
    this.#sleptMs = sleptMs;
    this.#lastMs = clock.wallMs();
    this.#write();
    this.#compareWall();
    return isWake ? this.#tell(fromMs) : null;
  }

  woke(): { away: Away; isNew: boolean } {
    const fromMs = this.#lastMs;
    const seen = this.compare();
    if (seen !== null) return { away: seen, isNew: true };
    const isSame = this.#last !== null && this.#lastMs - this.#last.toMs < SAME_MS;
    if (isSame && this.#last !== null) return { away: this.#last, isNew: false };
    return { away: this.#tell(fromMs), isNew: true };
  }

  close(): void {
    closeSync(this.#file);
  }

  #tell(fromMs: number): Away {
    const { journal, boot, log, wentAway } = this.#parts;
    const away: Away = { kind: 'wake', planned: false, fromMs, toMs: this.#lastMs, boot };
    this.#last = away;
    try {
      keepAway(journal, away);
    } catch (error) {
      // It is reported anyway; only if this daemon dies, the next one will not report it again.
      log('a wake could not be saved', { why: String(error) });
    }
    wentAway(away);
    return away;
  }

  /** A clock that nobody sets goes as fast as the kernel's. */
  #compareWall(): void {
    const aheadMs = this.#lastMs - monotonicMs() - this.#sleptMs;
    const isSet = Math.abs(aheadMs - this.#aheadMs) >= CLOCK_SET_MS_MIN;
    this.#aheadMs = aheadMs;
    if (isSet) this.#parts.clockSet?.();
  }

  #slept(): number {
    return this.#parts.sleptMs?.() ?? uptimeMs() - monotonicMs();
  }

  #write(): void {
    try {
      writeSync(this.#file, `${String(this.#lastMs).padStart(DIGITS, '0')}\n`, 0);
    } catch {
      // The previous time stays; the journal has signs of life too.
    }
  }
}
