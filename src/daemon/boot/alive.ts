import { closeSync, futimesSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Boot } from './boot.ts';

interface AliveParts {
  readonly state: string;
  readonly clock: Clock;
  readonly journal: Pick<Journal, 'fact' | 'saveFact'>;
  readonly looks: Pick<Boot, 'interrupted'>;
  /** The boot we are in. */
  readonly boot: string;
}

const ALIVE_MS = 60_000;
/** The boot whose interrupted conversations were dealt with. */
const SEEN = 'boot.seen';

/** Looks at what a new boot interrupted, and leaves a sign of life for the next: the time of a file. */
export function startAlive({ state, clock, journal, looks, boot }: AliveParts): { stop(): Promise<void> } {
  const file = join(state, 'alive');
  const lastMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const before = journal.fact(SEEN);
  // The first start ever has nothing before it.
  if (before === null) journal.saveFact(SEEN, boot);
  // Saved afterwards: a daemon that dies on the way looks again, and finds what is ours by then.
  else if (before !== boot)
    void looks.interrupted('boot', lastMs).then((isOver) => isOver && journal.saveFact(SEEN, boot));
  const stopping = new AbortController();
  const beating = beat(file, clock, stopping.signal);
  return {
    stop() {
      stopping.abort();
      return beating;
    },
  };
}

async function beat(file: string, clock: Clock, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const handle = openSync(file, 'a', 0o600);
      futimesSync(handle, clock.wallMs() / 1_000, clock.wallMs() / 1_000);
      closeSync(handle);
    } catch {
      // A full disk: then the last sign of life is a little older.
    }
    await clock.sleep(ALIVE_MS, stopping);
  }
}
