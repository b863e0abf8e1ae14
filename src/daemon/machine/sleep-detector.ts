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
  /** Told of each sleep that is noticed. */
  readonly wentAway: (away: Away) => void;
  /** How long the machine has slept since it was started. */
  readonly sleptMs?: () => number;
}

/** Notices that the machine slept; the last time it wrote down tells when the machine went away. */
export interface SleepDetector {
  /** Somebody says that the machine woke up. A wake that was noticed already is the same one. */
  woke(): { readonly away: Away; readonly isNew: boolean };
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Clocks are read one after the other, and a loaded machine may take a moment between the two. */
const SLEEP_MS_MIN = 2_000;
/** Whoever tells of a wake may be so late. */
const SAME_MS = 60_000;
/** As long for all times to come: a shorter number would leave digits of the one before. */
const DIGITS = 15;

/**
 * Writes the time down once a second, and compares two clocks of the kernel: the one that goes on while the machine
 * sleeps, and the one that does not. The clock on the wall is no use for that, because people set it.
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

/** The two clocks, and the file with the last time. */
class KernelClocks {
  readonly #parts: SleepDetectorParts;
  readonly #file: number;
  #sleptMs: number;
  #lastMs: number;
  #last: Away | null = null;

  constructor(parts: SleepDetectorParts) {
    this.#parts = parts;
    this.#file = openSync(beatFile(parts.state), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#sleptMs = this.#slept();
    this.#lastMs = parts.clock.wallMs();
  }

  /** The sleep that it noticed; null: none. */
  compare(): Away | null {
    const { clock } = this.#parts;
    const sleptMs = this.#slept();
    const isWake = sleptMs - this.#sleptMs >= SLEEP_MS_MIN;
    const fromMs = this.#lastMs;
    this.#sleptMs = sleptMs;
    this.#lastMs = clock.wallMs();
    this.#write();
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
      // It is told all the same; only a daemon that dies over it will not be told again.
      log('a wake could not be written down', { why: String(error) });
    }
    wentAway(away);
    return away;
  }

  #slept(): number {
    return this.#parts.sleptMs?.() ?? uptimeMs() - monotonicMs();
  }

  #write(): void {
    try {
      writeSync(this.#file, `${String(this.#lastMs).padStart(DIGITS, '0')}\n`, 0);
    } catch {
      // The one before stays; the journal has signs of life too.
    }
  }
}
