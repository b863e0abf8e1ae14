import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

const KEY = 'outlast.diff';
/** From this width on, both sides have room. */
const WIDE_PX = 1_100;

/** Whether both sides of a change are beside each other. */
export interface Split {
  readonly isSplit: Signal<boolean>;
  readonly choose: (isSplit: boolean) => void;
}

/** Both sides where there is room, unless a person chose something else in this browser. */
export function useIsSplit(): Split {
  const chosen = useSignal<string | null>(localStorage.getItem(KEY));
  const isSplit = useSignal(chosen.value === 'split');
  useEffect(() => {
    const view = document.getElementById('view');
    const look = (): void => {
      if (chosen.value === null && view !== null) isSplit.value = view.clientWidth > WIDE_PX;
    };
    const resized = new ResizeObserver(look);
    if (view !== null) resized.observe(view);
    look();
    return () => resized.disconnect();
  }, []);
  const choose = (wanted: boolean): void => {
    chosen.value = wanted ? 'split' : 'unified';
    isSplit.value = wanted;
    try {
      localStorage.setItem(KEY, chosen.value);
    } catch {
      // It lasts until the page is closed.
    }
  };
  return { isSplit, choose };
}
