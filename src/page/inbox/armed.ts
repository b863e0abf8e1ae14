import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { ARMED_MS, HOLD_MS } from '../model/caution.ts';

/** A part of the page that somebody may look at. */
export type Box = { readonly current: HTMLElement | null };

/** Whether a question may be answered. */
export interface Armed {
  readonly isArmed: boolean;
  /** Looks once more: it may have moved just now. */
  readonly isArmedNow: () => boolean;
}

/** How often is looked where the answers are. */
const LOOK_MS = 50;
/** What moves less stays under the same finger. */
const STILL_PX = 4;

/**
 * May a question be answered? Only after its answers were on the screen for a while, in one place: a click or a key
 * that was meant for what was there before answers nothing. A page that was out of sight begins again.
 */
export function useArmed(question: string, box: Box): Armed {
  const { clock } = useApp();
  const [armed, setArmed] = useState<string | null>(null);
  const lookNow = useRef<() => boolean>(() => false);
  useEffect(() => {
    const leaving = new AbortController();
    let last: DOMRect | null = null;
    let sinceMs = 0;
    let isArmed = false;
    const set = (next: boolean): void => {
      if (next !== isArmed) setArmed(next ? question : null);
      isArmed = next;
    };
    const look = (): void => {
      const place = placeOf(box);
      if (place === null || last === null || !isSamePlace(place, last)) sinceMs = clock.steadyMs();
      last = place;
      set(place !== null && clock.steadyMs() - sinceMs >= ARMED_MS);
    };
    const watch = async (signal: AbortSignal): Promise<void> => {
      while (!signal.aborted) {
        // What is not painted was not seen.
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        if (!signal.aborted) look();
        await clock.sleep(LOOK_MS, signal);
      }
    };
    void watch(leaving.signal);
    lookNow.current = () => {
      look();
      return isArmed;
    };
    // A page that is out of sight paints nothing, so this is not found out above.
    const hide = (): void => {
      last = null;
      set(false);
    };
    document.addEventListener('visibilitychange', hide);
    return () => {
      leaving.abort();
      lookNow.current = () => false;
      document.removeEventListener('visibilitychange', hide);
    };
  }, [question]);
  return { isArmed: armed === question, isArmedNow: () => lookNow.current() };
}

/** Where it is on the screen; null: nobody sees it. */
function placeOf({ current }: Box): DOMRect | null {
  const place = current?.getBoundingClientRect() ?? null;
  if (place === null || document.visibilityState !== 'visible') return null;
  return place.bottom > 0 && place.top < innerHeight && place.height > 0 ? place : null;
}

function isSamePlace(one: DOMRect, other: DOMRect): boolean {
  // The answers grow upwards, for example by a field for a reason; the buttons are at their end.
  return Math.abs(one.bottom - other.bottom) <= STILL_PX && Math.abs(one.left - other.left) <= STILL_PX;
}

/** What a button that has to be held listens to. */
export interface Hold {
  readonly isHeld: boolean;
  readonly begin: () => void;
  readonly end: () => void;
  /** A click without a pointer, as screen readers make it: the second one counts, if it does not follow at once. */
  readonly press: () => void;
}

/** Acts after it was held long enough. */
export function useHold(act: () => void): Hold {
  const { clock } = useApp();
  const [isHeld, setHeld] = useState(false);
  const leaving = useRef<AbortController | null>(null);
  const pressedMs = useRef(Number.NEGATIVE_INFINITY);
  // What holds now, also if that has changed since it was begun.
  const latest = useRef(act);
  latest.current = act;
  const end = (): void => {
    leaving.current?.abort();
    leaving.current = null;
    setHeld(false);
  };
  const begin = (): void => {
    if (leaving.current !== null) return;
    const ours = new AbortController();
    leaving.current = ours;
    setHeld(true);
    void clock.sleep(HOLD_MS, ours.signal).then(() => {
      if (ours.signal.aborted) return;
      end();
      latest.current();
    });
  };
  const press = (): void => {
    const sinceMs = clock.steadyMs() - pressedMs.current;
    pressedMs.current = clock.steadyMs();
    if (sinceMs >= HOLD_MS && sinceMs < 10 * HOLD_MS) latest.current();
  };
  useEffect(() => end, []);
  return { isHeld, begin, end, press };
}
