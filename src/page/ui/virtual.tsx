import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

/** Rows beyond the edges that are drawn too, so that scrolling shows no gap. */
const BEYOND = 6;
/** The height before the browser has measured the list. */
const HEIGHT_FIRST = 800;

interface Props<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly heightOf: (item: T) => number;
  readonly draw: (item: T) => ComponentChildren;
  readonly label: string;
  /** The item that has to be in view. */
  readonly wanted: string | null;
  /** Is given what scrolls. */
  readonly box?: { current: HTMLDivElement | null };
}

/** A list of which only what is in view is drawn. Each item knows its height. */
export function VirtualList<T>({ items, keyOf, heightOf, draw, label, wanted, box: given }: Props<T>): VNode {
  const own = useRef<HTMLDivElement>(null);
  const box = given ?? own;
  const [view, setView] = useState({ top: 0, height: HEIGHT_FIRST });
  const tops = useMemo(() => topsOf(items, heightOf), [items]);
  useLayoutEffect(() => {
    const list = box.current;
    if (list === null) return;
    const look = (): void => setView({ top: list.scrollTop, height: list.clientHeight });
    const seen = new ResizeObserver(look);
    seen.observe(list);
    list.addEventListener('scroll', look, { passive: true });
    look();
    return () => {
      seen.disconnect();
      list.removeEventListener('scroll', look);
    };
  }, []);
  useLayoutEffect(() => {
    const at = items.findIndex((item) => keyOf(item) === wanted);
    if (at >= 0 && box.current !== null) bringIntoView(box.current, tops[at] ?? 0, tops[at + 1] ?? 0);
  }, [wanted, view.height]);
  const first = Math.max(firstAfter(tops, view.top) - BEYOND, 0);
  const last = Math.min(firstAfter(tops, view.top + view.height) + BEYOND, items.length);
  return (
    <div class="virtual" ref={box}>
      <ul aria-label={label} style={{ height: `${tops[items.length] ?? 0}px` }}>
        {items.slice(first, last).map((item, i) => (
          <li
            key={keyOf(item)}
            class="virtual-item"
            style={{ transform: `translateY(${tops[first + i] ?? 0}px)`, height: `${heightOf(item)}px` }}
            aria-setsize={items.length}
            aria-posinset={first + i + 1}
          >
            {draw(item)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where each item begins, and where the last one ends. */
function topsOf<T>(items: readonly T[], heightOf: (item: T) => number): number[] {
  const tops = [0];
  for (const item of items) tops.push((tops.at(-1) ?? 0) + heightOf(item));
  return tops;
}

/** The first item that ends after this place. */
function firstAfter(tops: readonly number[], place: number): number {
  let [low, high] = [0, Math.max(tops.length - 1, 0)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tops[middle + 1] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

function bringIntoView(list: HTMLElement, top: number, end: number): void {
  if (top < list.scrollTop) list.scrollTop = top;
  else if (end > list.scrollTop + list.clientHeight) list.scrollTop = end - list.clientHeight;
}
