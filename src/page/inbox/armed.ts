import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../model/app.ts';
import { ARMED_MS, HOLD_MS } from '../model/caution.ts';

/**
 * May a question be answered? Only after it was on the screen for a while: a click or a key that was meant for what was
 * there before answers nothing. A page that was out of sight begins again.
 */
export function useArmed(question: string): boolean {
  const { clock } = useApp();
  const [armed, setArmed] = useState<string | null>(null);
  useEffect(() => {
    let leaving = new AbortController();
    const arm = (): void => {
      leaving.abort();
      leaving = new AbortController();
      setArmed(null);
      if (document.visibilityState === 'visible') void painted(leaving.signal);
    };
    const painted = async (signal: AbortSignal): Promise<void> => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      await clock.sleep(ARMED_MS, signal);
      if (!signal.aborted) setArmed(question);
    };
    arm();
    document.addEventListener('visibilitychange', arm);
    return () => {
      leaving.abort();
      document.removeEventListener('visibilitychange', arm);
    };
  }, [question]);
  return armed === question;
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
      act();
    });
  };
  const press = (): void => {
    const sinceMs = clock.steadyMs() - pressedMs.current;
    pressedMs.current = clock.steadyMs();
    if (sinceMs >= HOLD_MS && sinceMs < 10 * HOLD_MS) act();
  };
  useEffect(() => end, []);
  return { isHeld, begin, end, press };
}
