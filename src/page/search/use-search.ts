import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FoundText, SearchIndexView } from '../../api/contract-search.ts';
import { type App, useApp } from '../model/app.ts';

/** What is searched. */
export const KINDS = ['all', 'prompt', 'reply', 'tool'] as const;

export type Kind = (typeof KINDS)[number];

const LIMIT = 40;
/** While a person types, each pause as long as this is searched for. */
const TYPING_MS = 180;
/** How long an answer waits for what was said last; then it says that some is missing. */
const WAIT_MS = 1_000;
const AGAIN_MS = 1_500;

/** What a search has found so far. */
export interface Search {
  readonly found: readonly FoundText[];
  readonly index: SearchIndexView | null;
  readonly isSearching: boolean;
  readonly error: string | null;
  /** There are more; null: there are none. */
  readonly more: number | null;
  readonly readMore: () => void;
  readonly again: () => void;
}

type Given = Parameters<App['outlast']['search']>[0];
type State = Pick<Search, 'found' | 'index' | 'isSearching' | 'error' | 'more'>;

const NOTHING: State = { found: [], index: null, isSearching: false, error: null, more: null };

/** Searches for the words, again while the index is being built. What was found stays until there is an answer. */
export function useSearch(asked: string, kind: Kind): Search {
  const app = useApp();
  const state = useSignal<State>(NOTHING);
  const tries = useSignal(0);
  const words = asked.trim();
  const isLive = app.state.value.is === 'live';
  const only = kind === 'all' ? {} : { only: kind };
  const fail = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    state.value = { ...state.peek(), isSearching: false, error: why };
  };
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const look = async (): Promise<void> => {
      state.value = { ...state.peek(), isSearching: words !== '' };
      await app.clock.sleep(TYPING_MS, signal);
      while (!signal.aborted) {
        const { found, more, index } = await asking(signal);
        if (signal.aborted) return;
        state.value = { found, more, index, isSearching: false, error: null };
        if (index.progress === null && index.state !== 'building') return;
        await app.clock.sleep(AGAIN_MS, signal);
      }
    };
    const asking = async (aborted: AbortSignal): Promise<Pick<State, 'found' | 'more'> & { index: SearchIndexView }> =>
      words === ''
        ? { found: [], more: null, index: await app.outlast.searchStatus(aborted) }
        : app.outlast.search({ words, ...only, limit: LIMIT, waitMs: WAIT_MS }, aborted);
    // A search that is off refuses to search, and its status says so.
    const explain = async (error: unknown): Promise<void> => {
      if (signal.aborted) return;
      const index = await app.outlast.searchStatus(signal).catch(() => null);
      if (signal.aborted) return;
      if (index?.state === 'off') state.value = { ...NOTHING, index };
      else fail(error);
    };
    look().catch(explain);
    return () => leaving.abort();
  }, [words, kind, tries.value, isLive]);
  return {
    ...state.value,
    readMore: () => void readMore(app, state, { words, ...only }).catch(fail),
    again: () => {
      tries.value += 1;
    },
  };
}

/** Reads what follows after what was found. */
async function readMore({ outlast }: App, state: Signal<State>, asked: Given): Promise<void> {
  const { more, found, isSearching } = state.peek();
  if (more === null || isSearching) return;
  state.value = { ...state.peek(), isSearching: true };
  const next = await outlast.search({ ...asked, limit: LIMIT, before: more, waitMs: 0 });
  // Another search may have begun meanwhile.
  if (state.peek().found !== found) return;
  state.value = { ...state.peek(), ...next, found: [...found, ...next.found], isSearching: false, error: null };
}
