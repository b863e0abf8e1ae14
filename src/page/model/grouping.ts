import type { SessionRow } from '../../api/contract-list.ts';
import { ATTENTIONS, type Attention, attentionOf } from '../../present/attention.ts';
import { searchedText, sortedIn } from '../../present/row.ts';
import { treeOf } from '../../present/tree.ts';
import { fuzzyScore } from './fuzzy.ts';

/** How the list is put together. */
export type Grouping = 'state' | 'folder' | 'tree';

/** One line of the list: the head of a group, or a session. */
export type FleetItem =
  | {
      readonly is: 'head';
      readonly key: string;
      /** A section, else a folder. */
      readonly attention: Attention | null;
      readonly count: number;
      readonly isFolded: boolean;
    }
  | {
      readonly is: 'session';
      readonly key: string;
      readonly row: SessionRow;
      readonly attention: Attention;
      /** How deep it is below sessions that are shown above it. */
      readonly under: number;
    };

export interface FleetView {
  readonly filter: string;
  readonly by: Grouping;
  readonly folded: ReadonlySet<string>;
}

/** The list in order. What matches a filter is never folded. */
export function fleetItems(rows: Iterable<SessionRow>, view: FleetView): FleetItem[] {
  const filter = view.filter.trim();
  const fitting = filter === '' ? [...rows] : matching(rows, filter);
  if (view.by === 'tree') return sessions(byAttention(fitting).flatMap(([, its]) => its));
  const groups =
    view.by === 'state'
      ? byAttention(fitting).map(([attention, its]) => ({ key: attention as string, attention, its }))
      : byFolder(fitting);
  return groups.flatMap(({ key, attention, its }) => {
    const isFolded = filter === '' && view.folded.has(key);
    const head = { is: 'head', key, attention, count: its.length, isFolded } as const;
    if (isFolded) return [head];
    // The longest wait comes first there, of whatever owner.
    return [head, ...(attention === 'needs you' ? its.map((row) => itemOf(row, 0)) : sessions(its))];
  });
}

/** The sessions that need a person, the longest wait first. */
export function needing(rows: Iterable<SessionRow>): SessionRow[] {
  return sortedIn(
    'needs you',
    [...rows].filter((row) => attentionOf(row) === 'needs you'),
  );
}

/** Those that match a filter, the best first within each group. */
function matching(rows: Iterable<SessionRow>, filter: string): SessionRow[] {
  return [...rows].filter((row) => fuzzyScore(filter, searchedText(row)) !== null);
}

function byAttention(rows: readonly SessionRow[]): (readonly [Attention, SessionRow[]])[] {
  const groups = Map.groupBy(rows, attentionOf);
  return ATTENTIONS.flatMap((attention) => {
    const its = groups.get(attention) ?? [];
    return its.length === 0 ? [] : [[attention, sortedIn(attention, its)] as const];
  });
}

function byFolder(rows: readonly SessionRow[]): { key: string; attention: null; its: SessionRow[] }[] {
  const groups = Map.groupBy(rows, ({ workspace }) => workspace);
  return [...groups.keys()].sort().map((key) => ({
    key,
    attention: null,
    its: byAttention(groups.get(key) ?? []).flatMap(([, its]) => its),
  }));
}

function sessions(rows: readonly SessionRow[]): FleetItem[] {
  return treeOf(rows).map(({ each, under }) => itemOf(each, under));
}

function itemOf(row: SessionRow, under: number): FleetItem {
  return { is: 'session', key: row.id, row, attention: attentionOf(row), under };
}
