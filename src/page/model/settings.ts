import { type Signal, signal } from '@preact/signals';
import type { Grouping } from './grouping.ts';

export const THEMES = ['system', 'dark', 'light'] as const;
export const DENSITIES = ['normal', 'compact'] as const;
export const TEXT_SIZES = ['small', 'normal', 'large'] as const;

export type Theme = (typeof THEMES)[number];
export type Density = (typeof DENSITIES)[number];
export type TextSize = (typeof TEXT_SIZES)[number];

const KEY = 'outlast.settings';

interface Stored {
  readonly theme: Theme;
  readonly density: Density;
  readonly textSize: TextSize;
  readonly by: Grouping;
  readonly folded: readonly string[];
}

const USUAL: Stored = { theme: 'system', density: 'normal', textSize: 'normal', by: 'state', folded: ['ended'] };
/** The height of a row in the list with text of 13 px, and the text of each size: as `tokens.css` has it. */
const ROW_PX = { normal: 52, compact: 40 } as const;
const TEXT_PX = { small: 12, normal: 13, large: 15 } as const;

/** How a person wants to see the page; kept in this browser. */
export class Settings {
  readonly theme: Signal<Theme>;
  readonly density: Signal<Density>;
  readonly textSize: Signal<TextSize>;
  readonly by: Signal<Grouping>;
  readonly folded: Signal<ReadonlySet<string>>;
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>;

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage;
    const stored = read(storage);
    this.theme = signal(stored.theme);
    this.density = signal(stored.density);
    this.textSize = signal(stored.textSize);
    this.by = signal(stored.by);
    this.folded = signal(new Set(stored.folded));
  }

  /** Keeps what is chosen now. */
  save(): void {
    const { theme, density, textSize, by, folded } = this;
    const how = { theme: theme.value, density: density.value, textSize: textSize.value };
    const stored: Stored = { ...how, by: by.value, folded: [...folded.value] };
    try {
      this.#storage.setItem(KEY, JSON.stringify(stored));
    } catch {
      // It lasts until the page is closed.
    }
  }

  /** The height of a row in the list. */
  get rowPx(): number {
    return Math.round((ROW_PX[this.density.value] * TEXT_PX[this.textSize.value]) / TEXT_PX.normal);
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
    const { theme, density, textSize, by = USUAL.by, folded = USUAL.folded } = found;
    return {
      theme: THEMES.find((each) => each === theme) ?? USUAL.theme,
      density: DENSITIES.find((each) => each === density) ?? USUAL.density,
      textSize: TEXT_SIZES.find((each) => each === textSize) ?? USUAL.textSize,
      by: ['state', 'folder', 'tree'].includes(by) ? by : USUAL.by,
      folded: Array.isArray(folded) ? folded.filter((each) => typeof each === 'string') : USUAL.folded,
    };
  } catch {
    return USUAL;
  }
}
