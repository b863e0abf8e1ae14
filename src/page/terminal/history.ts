import { type Signal, signal } from '@preact/signals';
import type { Outlast } from '../../client/browser.ts';
import type { Run, StyledScreen } from '../live/types.ts';

type Row = readonly Run[];

/** So many rows are loaded at a time. */
const PAGE_ROWS = 200;
/** More rows than this between two screens are not loaded; the loaded ones are given up. */
const CATCH_UP_ROWS = 600;

/**
 * The rows above the screen of a session, as far as somebody has scrolled. Invariant: they are consecutive, and the
 * last one is directly above the screen.
 */
export class History {
  readonly rows: Signal<readonly Row[]> = signal([]);
  /** Nothing is above the first loaded row. */
  readonly isWhole: Signal<boolean> = signal(false);
  readonly #outlast: Outlast;
  readonly #session: string;
  /** How many rows there were when the loaded ones were right. */
  #total = 0;
  #wanted = 0;
  #isLoading = false;

  constructor(outlast: Outlast, session: string) {
    this.#outlast = outlast;
    this.#session = session;
  }

  /** The screen has changed: what scrolled off it is above it now. */
  async screen({ history }: StyledScreen, signal: AbortSignal): Promise<void> {
    this.#wanted = history;
    if (this.#total === 0) this.isWhole.value = history === 0;
    await this.#catchUp(signal);
  }

  /** Loads older rows. */
  async older(signal: AbortSignal): Promise<void> {
    if (this.#isLoading || this.isWhole.value) return;
    this.#isLoading = true;
    try {
      const { above, history } = await this.#read(PAGE_ROWS, this.rows.value.length, signal);
      if (this.rows.value.length > 0 && history !== this.#total) return;
      this.#total = history;
      this.rows.value = [...above, ...this.rows.value];
      this.isWhole.value = this.rows.value.length >= history;
    } finally {
      this.#isLoading = false;
    }
    await this.#catchUp(signal);
  }

  /** Nobody looks at them any more. */
  forget(): void {
    this.rows.value = [];
    this.#total = 0;
    this.isWhole.value = this.#wanted === 0;
  }

  /** Appends what has scrolled away since the rows were loaded. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    if (this.#isLoading || this.rows.value.length === 0 || this.#wanted === this.#total) return;
    const missing = this.#wanted - this.#total;
    if (missing < 0 || missing > CATCH_UP_ROWS) return this.forget();
    this.#isLoading = true;
    try {
      const { above, history } = await this.#read(missing + PAGE_ROWS, 0, signal);
      const added = history - this.#total;
      if (added < 0 || added > above.length) return this.forget();
      this.rows.value = [...this.rows.value, ...above.slice(above.length - added)];
      this.#total = history;
    } finally {
      this.#isLoading = false;
    }
  }

  async #read(above: number, skip: number, signal: AbortSignal) {
    const seen = await this.#outlast.screen({ session: this.#session, styled: true, above, skip }, signal);
    return { above: seen.styled?.above ?? [], history: seen.styled?.history ?? 0 };
  }
}
