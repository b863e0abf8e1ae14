import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** So near to the end a reader wants to see what comes. */
const NEAR_PX = 40;

interface Keyed {
  readonly key: string;
}

interface Reading {
  /** Another one goes to the newest. */
  readonly view: unknown;
  /** One row is looked at, so nothing moves. */
  readonly isHeld: boolean;
  /** The number of the newest event. */
  readonly newest: number;
}

/**
 * Stays at the newest row while a reader is there. Else what comes is counted, and what is read stays where it is, also
 * when older rows are put before it.
 */
export function useNewest(
  box: { readonly current: HTMLElement | null },
  rows: readonly Keyed[],
  { view, isHeld, newest }: Reading,
) {
  const isAtEnd = useRef(true);
  if (isHeld) isAtEnd.current = false;
  const before = useRef({ height: 0, first: '' });
  const last = useRef(newest);
  last.current = newest;
  const [seen, setSeen] = useState(newest);
  const toEnd = (): void => {
    if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
    isAtEnd.current = true;
    setSeen(last.current);
  };
  const isThere = rows.length > 0;
  useEffect(() => {
    const list = box.current;
    if (list === null) return;
    const look = (): void => {
      isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
      if (isAtEnd.current) setSeen(last.current);
    };
    list.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(() => {
      if (isAtEnd.current) list.scrollTop = list.scrollHeight;
    });
    resized.observe(list);
    return () => {
      resized.disconnect();
      list.removeEventListener('scroll', look);
    };
  }, [isThere]);
  useLayoutEffect(() => {
    if (!isHeld) toEnd();
  }, [view, isThere]);
  useLayoutEffect(() => {
    const list = box.current;
    if (list === null) return;
    const first = rows[0]?.key ?? '';
    if (isAtEnd.current) toEnd();
    else if (first !== before.current.first) list.scrollTop += list.scrollHeight - before.current.height;
    before.current = { height: list.scrollHeight, first };
  }, [rows]);
  return { fresh: isAtEnd.current ? 0 : Math.max(newest - seen, 0), toEnd };
}
