import type { SessionRow } from '../../client/index.ts';
import { ATTENTIONS, type Attention, attentionOf } from '../../present/attention.ts';
import { searchedText, sortedIn } from '../../present/row.ts';
import { treeOf } from '../../present/tree.ts';

/** A line of the board below its head: the title of a section, or a session. */
export type Item =
  | { readonly is: 'title'; readonly attention: Attention; readonly count: number }
  | { readonly is: 'session'; readonly row: SessionRow; readonly attention: Attention; readonly under: number };

export interface Shown {
  readonly filter: string;
  readonly isTree: boolean;
}

/** The board in order: by section, or with sessions below their owners. */
export function itemsOf(rows: Iterable<SessionRow>, { filter, isTree }: Shown): Item[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = [...rows].filter((row) => words.every((word) => searchedText(row).includes(word)));
  const sections = Map.groupBy(fitting, attentionOf);
  const ordered = ATTENTIONS.map(
    (attention) => [attention, sortedIn(attention, sections.get(attention) ?? [])] as const,
  );
  if (isTree)
    return treeOf(ordered.flatMap(([, its]) => its)).map(({ each: row, under }) =>
      itemOf(row, attentionOf(row), under),
    );
  return ordered.flatMap(([attention, its]) =>
    its.length === 0
      ? []
      : [{ is: 'title', attention, count: its.length }, ...its.map((row) => itemOf(row, attention, 0))],
  );
}

function itemOf(row: SessionRow, attention: Attention, under: number): Item {
  return { is: 'session', row, attention, under };
}
