import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { SessionRow } from '../../api/contract-list.ts';
import type { Clock } from '../../base/clock.ts';
import type { Outlast } from '../../client/browser.ts';

/** What is known of all sessions. */
export interface FleetKnown {
  readonly rows: ReadonlyMap<string, SessionRow>;
  /** All were listed at least once. */
  readonly isComplete: boolean;
}

/** Changes that come together are shown together. */
const GATHER_MS = 30;
/** A list that is shown row by row jumps: the first rows wait a little for the others. */
const GATHER_FIRST_MS = 120;
const PAUSE_MS = 1_000;
/** How many ended sessions are listed when the page opens. */
const ENDED = 50;

/** All sessions, kept current. What was known stays while the daemon is away. */
export class Fleet {
  readonly #known: Signal<FleetKnown> = signal({ rows: new Map(), isComplete: false });
  readonly #rows = new Map<string, SessionRow>();
  readonly #clock: Clock;
  /** Not listed again yet since the connection was lost. */
  #unseen: Set<string> | null = new Set();
  #isComplete = false;
  #isTelling = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is known now. */
  get known(): ReadonlySignal<FleetKnown> {
    return this.#known;
  }

  /** Follows all sessions until the signal fires. */
  async follow(outlast: Outlast, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const line of outlast.watch({ ended: ENDED }, signal)) {
          if (line.is === 'row') this.#take(line.row);
          else if (line.is === 'gone') this.#drop(line.id);
          else if (line.is === 'complete') this.#complete();
          else this.#unseen = new Set(this.#rows.keys());
          this.#tell(line.is === 'complete');
        }
      } catch {
        // The connection says why; what was known stays.
      }
      await this.#clock.sleep(PAUSE_MS, signal);
    }
  }

  #take(row: SessionRow): void {
    this.#rows.set(row.id, row);
    this.#unseen?.delete(row.id);
  }

  #drop(id: string): void {
    this.#rows.delete(id);
  }

  /** What the new list does not name was removed meanwhile. */
  #complete(): void {
    for (const id of this.#unseen ?? []) this.#rows.delete(id);
    this.#unseen = null;
    this.#isComplete = true;
  }

  #tell(isAtOnce: boolean): void {
    if (isAtOnce) return this.#show();
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#clock.sleep(this.#isComplete ? GATHER_MS : GATHER_FIRST_MS).then(() => {
      this.#isTelling = false;
      this.#show();
    });
  }

  #show(): void {
    this.#known.value = { rows: new Map(this.#rows), isComplete: this.#isComplete };
  }
}
