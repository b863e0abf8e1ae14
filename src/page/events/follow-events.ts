import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EventLine } from '../../client/browser.ts';
import { useApp } from '../model/app.ts';

/** How many events are read first. */
const EVENTS_FIRST = 2_000;
/** As many as one request gives. */
const EVENTS_MAX = 100_000;
/** Events that come together are drawn together. */
const GATHER_MS = 40;

/** The events of a session, oldest first. */
export interface EventsRead {
  readonly events: readonly EventLine[];
  readonly isLoaded: boolean;
  readonly hasMore: boolean;
  readonly error: string | null;
}

export interface EventsReader {
  readonly reading: Signal<EventsRead>;
  /** Reads older events; resolves when they are drawn. */
  readonly more: () => Promise<void>;
  readonly again: () => void;
}

/** Follows the events of a session as long as they are shown. */
export function useEvents(session: string): EventsReader {
  const app = useApp();
  const known = useRef<EventLine[]>([]);
  const [times, setTimes] = useState(0);
  const reading = useSignal<EventsRead>({ events: [], isLoaded: false, hasMore: false, error: null });
  const draw = (error: string | null = null): void => {
    const events = [...known.current];
    reading.value = { events, isLoaded: true, hasMore: (events[0]?.seq ?? 1) > 1, error };
  };
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let isDue = false;
    const soon = (): void => {
      if (isDue) return;
      isDue = true;
      void app.clock.sleep(GATHER_MS, signal).then(() => {
        isDue = false;
        if (!signal.aborted) draw();
      });
    };
    const read = async (): Promise<void> => {
      const wanted = { session, follow: true, last: EVENTS_FIRST, words: true };
      for await (const event of app.outlast.events(wanted, signal)) {
        if (event.seq <= (known.current.at(-1)?.seq ?? 0)) continue;
        known.current.push(event);
        soon();
      }
    };
    known.current = [];
    read().catch((error: unknown) => {
      if (!signal.aborted) draw(error instanceof Error ? error.message : String(error));
    });
    return () => leaving.abort();
  }, [session, times]);
  const more = async (): Promise<void> => {
    const first = known.current[0]?.seq ?? 1;
    const last = Math.min(known.current.length * 4, EVENTS_MAX);
    const older: EventLine[] = [];
    for await (const event of app.outlast.events({ session, last, words: true })) {
      if (event.seq >= first) break;
      older.push(event);
    }
    known.current = [...older, ...known.current];
    draw();
  };
  return { reading, more, again: () => setTimes((before) => before + 1) };
}
