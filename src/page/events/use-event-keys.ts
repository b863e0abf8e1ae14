import { type ReadonlySignal, type Signal, useSignalEffect } from '@preact/signals';
import { useKeys } from '../model/keys.ts';
import type { EventFilter, Timeline } from '../model/timeline.ts';

interface Parts {
  readonly timeline: ReadonlySignal<Timeline>;
  readonly cursor: Signal<string | null>;
  /** The event whose evidence is shown, by its number in the session. */
  readonly open: Signal<number | null>;
  readonly filter: Signal<EventFilter>;
  readonly fold: (key: string, isFolded: boolean) => void;
  readonly part: { readonly current: HTMLElement | null };
}

/** j and k move, e leads to the next trouble, Escape closes the evidence. Enter is that of the row with the focus. */
export function useEventKeys({ timeline, cursor, open, filter, fold, part }: Parts) {
  const move = (by: number): void => {
    const rows = timeline.value.rows.filter(({ is }) => is !== 'gap');
    const at = rows.findIndex(({ key }) => key === cursor.value);
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1);
    const row = rows[next];
    if (row === undefined) return;
    cursor.value = row.key;
    // Evidence that is open follows.
    if (open.value !== null && row.is === 'event') open.value = row.happening.event.seq;
  };
  const nextTrouble = (): void => {
    const { troubles, placed } = timeline.value;
    const from = open.value ?? Number(/^event (\d+)$/.exec(cursor.value ?? '')?.[1] ?? 0);
    const next = troubles.find(({ event }) => event.seq > from) ?? troubles[0];
    if (next === undefined) return;
    const { run = null, turn = null } = placed.find(({ happening }) => happening === next) ?? {};
    for (const group of [run, turn]) if (group !== null) fold(group.key, false);
    if (filter.value.kind !== null && filter.value.kind !== next.kind) filter.value = { ...filter.value, kind: null };
    open.value = next.event.seq;
    cursor.value = `event ${next.event.seq}`;
  };
  useSignalEffect(() => {
    // The row is drawn first.
    if (cursor.value !== null)
      requestAnimationFrame(() => part.current?.querySelector<HTMLElement>('.event-row.at')?.focus());
  });
  const keys = { j: () => move(1), k: () => move(-1), e: nextTrouble };
  useKeys(open.value === null ? keys : { ...keys, Escape: () => (open.value = null) }, 'first');
  return { nextTrouble };
}
