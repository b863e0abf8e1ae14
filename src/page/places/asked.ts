import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useApp } from '../model/app.ts';

/** An answer that a place needs. What was known stays while it is asked for again, or when that fails. */
export interface Answered<T> {
  readonly value: T | null;
  /** Why there is none, or no newer one; null: nothing failed. */
  readonly error: string | null;
  readonly isAsking: boolean;
  /** When it came, wall time. */
  readonly atMs: number;
}

export interface Asked<T> {
  readonly answer: Signal<Answered<T>>;
  readonly again: () => void;
}

/** Asks when the place is opened, when the key changes, when the connection is back, and on `again`. */
export function useAsked<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Asked<T> {
  const app = useApp();
  const answer = useSignal<Answered<T>>({ value: null, error: null, isAsking: true, atMs: 0 });
  const asked = useSignal(0);
  const isLive = app.state.value.is === 'live';
  useEffect(() => {
    const leaving = new AbortController();
    const settle = (next: Partial<Answered<T>>): void => {
      if (!leaving.signal.aborted) answer.value = { ...answer.peek(), isAsking: false, ...next };
    };
    answer.value = { ...answer.peek(), isAsking: true };
    ask(leaving.signal).then(
      (value) => settle({ value, error: null, atMs: app.clock.wallMs() }),
      (error) => settle({ error: error instanceof Error ? error.message : String(error) }),
    );
    return () => leaving.abort();
  }, [key, asked.value, isLive]);
  return {
    answer,
    again: () => {
      asked.value += 1;
    },
  };
}
