import { effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Outlast } from '../../client/browser.ts';
import type { LiveState } from '../live/types.ts';

/**
 * Notices that the journal is another one, because a backup was restored. What a view has read until then may never
 * have happened now, and its place in the old journal means nothing in the new one: it has to begin again.
 */
export class JournalWatch {
  readonly #epoch: Signal<number> = signal(0);
  #id: string | null = null;

  /** Another number with each journal. */
  get epoch(): ReadonlySignal<number> {
    return this.#epoch;
  }

  /** Looks whenever the connection is back: a journal is only restored while no daemon runs. */
  follow(outlast: Outlast, state: ReadonlySignal<LiveState>, changed: () => void): void {
    effect(() => {
      if (state.value.is !== 'live') return;
      const look = async (): Promise<void> => {
        const { journal } = await outlast.daemonStatus();
        const isOther = this.#id !== null && this.#id !== journal;
        this.#id = journal;
        if (!isOther) return;
        this.#epoch.value += 1;
        changed();
      };
      // It is gone again: then it is looked at when it is back.
      look().catch(() => {});
    });
  }
}
