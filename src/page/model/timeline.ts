import type { EventLine } from '../../client/browser.ts';
import { Axis, type Gap } from './axis.ts';
import { type Group, type Placed, placed } from './groups.ts';
import { type EventKind, type Happening, happeningsOf, troubleOf } from './happening.ts';

/** One row of the events. */
export type EventRow =
  | {
      readonly is: 'group';
      readonly key: string;
      readonly group: Group;
      readonly sum: GroupSum;
      readonly isFolded: boolean;
    }
  | { readonly is: 'event'; readonly key: string; readonly depth: number; readonly happening: Happening }
  | { readonly is: 'gap'; readonly key: string; readonly gap: Gap };

/** What is in a group. */
export interface GroupSum {
  readonly calls: number;
  readonly troubles: number;
}

/** Which events are shown. */
export interface EventFilter {
  readonly kind: EventKind | null;
  readonly isTroubleOnly: boolean;
}

/** Everything that is drawn. */
export interface Timeline {
  readonly rows: readonly EventRow[];
  readonly axis: Axis;
  readonly troubles: readonly Happening[];
  readonly placed: readonly Placed[];
}

/** Histories that are longer begin with their old turns folded. */
const ALL_OPEN_MAX = 80;

/** Which groups a person has folded or unfolded, and what is folded without that. */
export class Folds {
  readonly #chosen: ReadonlyMap<string, boolean>;
  /** Turns that ended well before this event are folded. */
  readonly #beforeSeq: number;

  constructor(beforeSeq = 0, chosen: ReadonlyMap<string, boolean> = new Map()) {
    this.#beforeSeq = beforeSeq;
    this.#chosen = chosen;
  }

  has({ is, key, toMs }: Group, { troubles }: GroupSum, lastSeq: number): boolean {
    return this.#chosen.get(key) ?? (is === 'turn' && toMs !== null && troubles === 0 && lastSeq < this.#beforeSeq);
  }

  with(key: string, isFolded: boolean): Folds {
    return new Folds(this.#beforeSeq, new Map([...this.#chosen, [key, isFolded]]));
  }
}

/** What is folded when a history is first read. What comes later never folds by itself. */
export function firstFolds(events: readonly EventLine[]): Folds {
  const last = events.findLast(({ event }) => event === 'prompt.sending');
  return events.length <= ALL_OPEN_MAX || last === undefined ? new Folds() : new Folds(last.seq);
}

/** The rows of what happened, oldest first, with their axis. */
export function timelineOf(
  events: readonly EventLine[],
  { filter, folds, isCommand }: { readonly filter: EventFilter; readonly folds: Folds; readonly isCommand: boolean },
): Timeline {
  const all = placed(happeningsOf(events));
  const axis = new Axis(all, isCommand);
  const isFiltered = filter.kind !== null || filter.isTroubleOnly;
  const shown = isFiltered ? all.filter(({ happening }) => isWanted(happening, filter)) : all;
  const rows = rowsOf(shown, {
    sums: sumsOf(all),
    folds: isFiltered ? null : folds,
    gaps: isFiltered ? [] : axis.gaps,
  });
  const troubles = all.flatMap(({ happening }) => (troubleOf(happening) === null ? [] : [happening]));
  return { rows, axis, troubles, placed: all };
}

function isWanted(happening: Happening, { kind, isTroubleOnly }: EventFilter): boolean {
  return (kind === null || happening.kind === kind) && (!isTroubleOnly || troubleOf(happening) !== null);
}

type Sums = ReadonlyMap<string, GroupSum & { readonly lastSeq: number }>;

function sumsOf(all: readonly Placed[]): Sums {
  const sums = new Map<string, { calls: number; troubles: number; lastSeq: number }>();
  for (const { happening, run, turn } of all) {
    for (const group of [run, turn]) {
      if (group === null) continue;
      const sum = sums.get(group.key) ?? { calls: 0, troubles: 0, lastSeq: 0 };
      if (happening.event.event === 'tool.called') sum.calls += 1;
      if (troubleOf(happening) !== null) sum.troubles += 1;
      sum.lastSeq = happening.event.seq;
      sums.set(group.key, sum);
    }
  }
  return sums;
}

interface RowParts {
  readonly sums: Sums;
  /** Null: nothing is folded, because what is looked for must be seen. */
  readonly folds: Folds | null;
  readonly gaps: readonly Gap[];
}

function rowsOf(shown: readonly Placed[], { sums, folds, gaps }: RowParts): EventRow[] {
  const rows: EventRow[] = [];
  const begun = new Map<string, boolean>();
  const left = [...gaps];
  for (const { happening, run, turn } of shown) {
    while (left[0] !== undefined && left[0].toMs <= happening.atMs) {
      const [gap] = left.splice(0, 1);
      if (gap !== undefined) rows.push({ is: 'gap', key: `gap ${gap.fromMs}`, gap });
    }
    let isHidden = false;
    for (const group of [run, turn]) {
      if (group === null || isHidden) continue;
      const sum = sums.get(group.key) ?? { calls: 0, troubles: 0, lastSeq: 0 };
      const isFolded = begun.get(group.key) ?? folds?.has(group, sum, sum.lastSeq) ?? false;
      if (!begun.has(group.key)) rows.push({ is: 'group', key: group.key, group, sum, isFolded });
      begun.set(group.key, isFolded);
      isHidden = isFolded;
    }
    const depth = (run === null ? 0 : 1) + (turn === null ? 0 : 1);
    if (!isHidden) rows.push({ is: 'event', key: `event ${happening.event.seq}`, depth, happening });
  }
  return rows;
}
