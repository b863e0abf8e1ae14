import type { ApprovalView } from '../../client/index.ts';
import type { Edit } from './edit.ts';
import type { Item } from './items.ts';

/** What a person does at the moment. */
export type Mode =
  | { readonly is: 'board' | 'help' }
  | { readonly is: 'filter' | 'prompt'; readonly session: string; readonly edit: Edit }
  | { readonly is: 'stop'; readonly session: string }
  | Deciding;

/** An approval is on the screen. */
export interface Deciding {
  readonly is: 'approval';
  readonly session: string;
  readonly asked: ApprovalView;
  /** How many more wait in this session. */
  readonly more: number;
  /** The first line of it that is shown. */
  readonly first: number;
  /** When it was put on the screen, steady time. A key that came sooner was meant for what was there before. */
  readonly sinceMs: number;
  /** The reason of a denial while it is typed. */
  readonly why: Edit | null;
}

/** The state of the board besides the sessions. */
export interface Ui {
  /** The id of the selected session. */
  readonly selected: string | null;
  /** Its place among the items when it was last seen: when it goes, what took its place is selected. */
  readonly place: number;
  /** The first item that is shown. */
  readonly first: number;
  readonly filter: string;
  readonly isTree: boolean;
  readonly mode: Mode;
  readonly message: { readonly text: string; readonly isError: boolean } | null;
}

export const START: Ui = {
  ...{ selected: null, place: 0, first: 0, filter: '', isTree: false },
  ...{ mode: { is: 'board' }, message: null },
};

/** Keeps a session selected and on the screen, whatever came or went. */
export function settled(ui: Ui, items: readonly Item[], rows: number): Ui {
  const known = items.findIndex((item) => idOf(item) === ui.selected && ui.selected !== null);
  const place = known >= 0 ? known : nearest(items, ui.place);
  const selected = idOf(items[place]);
  return { ...ui, selected, place: Math.max(place, 0), first: scrolled(ui.first, place, items, rows) };
}

/** The board with another session selected: so many sessions further, or as far as there are. */
export function moved(ui: Ui, items: readonly Item[], by: number): Ui {
  const places = items.flatMap((item, place) => (item.is === 'session' ? [place] : []));
  const at = places.indexOf(ui.place);
  const place = places[Math.min(Math.max(at + by, 0), places.length - 1)] ?? 0;
  return { ...ui, place, selected: idOf(items[place]) };
}

/** The board with the next session selected that needs a person; after the last one comes the first. */
export function movedToNeed(ui: Ui, items: readonly Item[]): Ui {
  const isNeed = (item: Item): boolean => item.is === 'session' && item.attention === 'needs you';
  const after = items.findIndex((item, place) => place > ui.place && isNeed(item));
  const place = after >= 0 ? after : items.findIndex(isNeed);
  return place < 0 ? ui : { ...ui, place, selected: idOf(items[place]) };
}

function idOf(item: Item | undefined): string | null {
  return item?.is === 'session' ? item.row.id : null;
}

/** The session at this place, else the next one below it, else the last one. */
function nearest(items: readonly Item[], place: number): number {
  const below = items.findIndex((item, at) => at >= place && item.is === 'session');
  return below >= 0 ? below : items.findLastIndex(({ is }) => is === 'session');
}

function scrolled(first: number, place: number, items: readonly Item[], rows: number): number {
  // With the title above it.
  const top = items[place - 1]?.is === 'title' ? place - 1 : place;
  const lowest = Math.max(items.length - rows, 0);
  return Math.max(0, Math.min(Math.max(Math.min(first, top), place - rows + 1), lowest));
}
