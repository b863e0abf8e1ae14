import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import type { LogLine } from '../../api/logs-shape.ts';
import { type App, useApp } from '../model/app.ts';
import { ConversationLines, type Entry } from '../model/talk.ts';

/** How many lines are read first, and how many turns more on each further request. */
const LINES_FIRST = 200;
const TURNS_MORE = 10;
/** How many turns are read from the one that a link leads to. What follows is read when a person wants it. */
const TURNS_SHOWN = 12;
/** Changes that come together are drawn together. */
const GATHER_MS = 40;
/** A conversation of which nothing comes in this time is empty. */
const QUIET_MS = 400;

/** A conversation that is read. */
export interface Reading {
  readonly entries: readonly Entry[];
  readonly isLoaded: boolean;
  /** There are older turns. */
  readonly hasMore: boolean;
  /** There are later turns, which are not read. */
  readonly hasLater: boolean;
}

export interface TalkReader {
  readonly reading: Signal<Reading>;
  /** Reads older turns; resolves when they are drawn. */
  readonly more: () => Promise<void>;
}

/** Follows the conversation of a session as long as it is shown, or reads it from a turn. */
export function useTalk({ id: session, phase }: SessionRow, turn?: number): TalkReader {
  const app = useApp();
  const talk = useRef(new ConversationLines());
  const isWhole = useRef(false);
  const isCut = useRef(false);
  const isOver = phase === 'ended';
  const reading = useSignal<Reading>({ entries: [], isLoaded: false, hasMore: false, hasLater: false });
  const draw = (isLoaded: boolean): void => {
    const first = talk.current.first;
    const hasMore = !isWhole.current && first !== undefined && (first.turn > 1 || talk.current.size >= LINES_FIRST);
    const open = new Set(app.inbox.questions.peek().map(({ asked }) => asked.id));
    reading.value = { entries: talk.current.entries(open), isLoaded, hasMore, hasLater: isCut.current };
  };
  // A question that is asked or answered changes what is folded.
  useSignalEffect(() => {
    if (app.inbox.questions.value.length >= 0 && reading.peek().isLoaded) draw(true);
  });
  useEffect(() => {
    const leaving = new AbortController();
    let isDue = false;
    const soon = (): void => {
      if (isDue) return;
      isDue = true;
      void app.clock.sleep(GATHER_MS, leaving.signal).then(() => {
        isDue = false;
        if (!leaving.signal.aborted) draw(true);
      });
    };
    const read = async (): Promise<void> => {
      const from = turn === undefined ? null : Math.max(turn - 1, 0);
      if (from !== null) isCut.current = await readPart(app, talk.current, { session, from }, leaving.signal);
      soon();
      if (isCut.current) return;
      const which = from === null ? { last: LINES_FIRST } : { from };
      for await (const line of app.outlast.logs({ session, follow: true, ...which }, leaving.signal)) {
        talk.current.take(line);
        soon();
      }
    };
    read().catch(() => {});
    void app.clock.sleep(QUIET_MS, leaving.signal).then(() => !leaving.signal.aborted && draw(true));
    return () => leaving.abort();
    // What is followed ends with the session, and a session that is resumed goes on.
  }, [session, isOver]);
  const more = async (): Promise<void> => {
    isWhole.current = await readOlder(app, talk.current, session);
    draw(true);
  };
  return { reading, more };
}

/** Reads up to some turns after the one that is wanted; true: there are more. */
async function readPart(
  { outlast }: App,
  talk: ConversationLines,
  { session, from }: { readonly session: string; readonly from: number },
  signal: AbortSignal,
): Promise<boolean> {
  for await (const line of outlast.logs({ session, follow: false, from }, signal)) {
    if (line.turn >= from + TURNS_SHOWN) return true;
    talk.take(line);
  }
  return false;
}

/** Reads the turns before those that are known; true: there are none before them. */
async function readOlder({ outlast }: App, talk: ConversationLines, session: string): Promise<boolean> {
  const first = talk.first?.turn ?? 0;
  const from = Math.max(first - TURNS_MORE, 0);
  const lines: LogLine[] = [];
  for await (const line of outlast.logs({ session, follow: false, from })) {
    if (line.turn > first) break;
    lines.push(line);
  }
  talk.takeOlder(lines);
  return from === 0;
}
