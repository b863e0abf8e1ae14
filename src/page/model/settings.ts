import { type Signal, signal } from '@preact/signals';
import type { Grouping } from './grouping.ts';

export type Theme = 'system' | 'dark' | 'light';

const KEY = 'outlast.settings';

interface Stored {
  readonly theme: Theme;
  readonly by: Grouping;
  readonly folded: readonly string[];
}

const USUAL: Stored = { theme: 'system', by: 'state', folded: ['ended'] };

/** How a person wants to see the page; kept in this browser. */
export class Settings {
  readonly theme: Signal<Theme>;
  readonly by: Signal<Grouping>;
  readonly folded: Signal<ReadonlySet<string>>;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    const stored = read(storage);
    this.theme = signal(stored.theme);
    this.by = signal(stored.by);
    this.folded = signal(new Set(stored.folded));
  }

  /** Keeps what is chosen now. */
  save(): void {
    const stored: Stored = { theme: this.theme.value, by: this.by.value, folded: [...this.folded.value] };
    try {
      this.#storage.setItem(KEY, JSON.stringify(stored));
    } catch {
      // It lasts until the page is closed.
    }
  }

  /** Folds a group of the list, or unfolds it. */
  fold(key: string): void {
    const folded = new Set(this.folded.value);
    if (!folded.delete(key)) folded.add(key);
    this.folded.value = folded;
    this.save();
  }
}

function read(storage: Pick<Storage, 'getItem'>): Stored {
  try {
    const found: Partial<Stored> = JSON.parse(storage.getItem(KEY) ?? '{}');
    const { theme = USUAL.theme, by = USUAL.by, folded = USUAL.folded } = found;
    return {
      theme: ['system', 'dark', 'light'].includes(theme) ? theme : USUAL.theme,
      by: ['state', 'folder', 'tree'].includes(by) ? by : USUAL.by,
      folded: Array.isArray(folded) ? folded.filter((each) => typeof each === 'string') : USUAL.folded,
    };
  } catch {
    return USUAL;
  }
}
