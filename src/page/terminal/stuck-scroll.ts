import type { Ref } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Older rows are loaded when fewer pixels than this are above. */
const NEAR_TOP_PX = 300;
/** Who is this near the end follows it. */
const NEAR_END_PX = 24;

interface Doing {
  /** Nearly at the top: what is above is wanted. */
  readonly older: () => void;
  /** At the end again, after reading what is above. */
  readonly left: () => void;
}

interface Scroll {
  readonly ref: Ref<HTMLDivElement>;
  readonly onScroll: () => void;
}

/** A scrolled box that stays at its end while it grows, and stays where it is for who reads further up. */
export function useStuckScroll({ older, left }: Doing): Scroll {
  const box = useRef<HTMLDivElement>(null);
  const place = useRef({ isAtEnd: true, fromEnd: 0 });
  useLayoutEffect(() => {
    const list = box.current;
    if (list === null) return;
    const { isAtEnd, fromEnd } = place.current;
    const top = list.scrollHeight - (isAtEnd ? list.clientHeight : fromEnd);
    if (Math.abs(list.scrollTop - top) > 1) list.scrollTop = top;
  });
  const onScroll = (): void => {
    const list = box.current;
    if (list === null) return;
    const fromEnd = list.scrollHeight - list.scrollTop;
    const isAtEnd = fromEnd - list.clientHeight < NEAR_END_PX;
    if (isAtEnd && !place.current.isAtEnd) left();
    place.current = { isAtEnd, fromEnd };
    if (!isAtEnd && list.scrollTop < NEAR_TOP_PX) older();
  };
  return { ref: box, onScroll };
}
