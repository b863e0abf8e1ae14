import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

/** What was asked for: the last answer stays while it is asked for again, and when that fails. */
export interface Asked<T> {
  readonly value: T | null;
  readonly error: string | null;
  readonly isBusy: boolean;
}

/** Asks when it is first drawn, when what it depends on changes, and when `again` is called. */
export function useAsked<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  on: readonly unknown[],
): { readonly asked: Signal<Asked<T>>; readonly again: () => void } {
  const asked = useSignal<Asked<T>>({ value: null, error: null, isBusy: true });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    asked.value = { ...asked.peek(), isBusy: true };
    ask(leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) asked.value = { value, error: null, isBusy: false };
      },
      (error: unknown) => {
        const text = error instanceof Error ? error.message : String(error);
        if (!leaving.signal.aborted) asked.value = { ...asked.peek(), error: text, isBusy: false };
      },
    );
    return () => leaving.abort();
  }, [...on, times]);
  return { asked, again: () => setTimes((before) => before + 1) };
}
