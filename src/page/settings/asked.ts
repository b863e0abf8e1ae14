import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useApp } from '../model/app.ts';

/** An answer of the server. `undefined`: not yet; a text: why there is none. */
export type Asked<T extends object> = T | string | undefined;

/** Asks when a part of the page is first shown, and again whenever the connection is back or `again` is called. */
export function useAsked<T extends object>(ask: () => Promise<T>): { value: Signal<Asked<T>>; again: () => void } {
  const { state } = useApp();
  const value = useSignal<Asked<T>>(undefined);
  const again = (): void => {
    ask().then(
      (answer) => {
        value.value = answer;
      },
      (error: unknown) => {
        value.value = error instanceof Error ? error.message : String(error);
      },
    );
  };
  const isLive = state.value.is === 'live';
  useEffect(() => {
    if (isLive) again();
  }, [isLive]);
  return { value, again };
}
