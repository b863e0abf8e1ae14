import type { CallInput, CallOutput } from '../api/contract.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { cursorOf } from './cursor.ts';
import type { Given } from './given.ts';
import { enduring, Outage } from './lost.ts';

/** A screen, and the output that is on it. */
export type ScreenLine = CallOutput<'session.screens'>;

/** One piece of followed output; the last one carries the session as it ended. */
export type Line = CallOutput<'session.follow'>;

/** One event of the journal. */
export type EventLine = CallOutput<'session.events'>;

/** The beginning of a turn, or one step of it. */
export type TurnLine = CallOutput<'session.turns'>;

/** One line of the logs of a session. */
export type LogLine = CallOutput<'session.logs'>;

const PAUSE_MS = 50;

/** Follows output to its end. When the connection breaks it continues from the last offset it has seen. */
export async function* follow(
  transport: Transport,
  clock: Clock,
  input: Given<'session.follow'>,
  signal?: AbortSignal,
): AsyncGenerator<Line, void, void> {
  let from = input.from;
  const open = () => transport.follow('session.follow', { ...input, from } as CallInput<'session.follow'>, signal);
  for await (const line of followOn(transport, clock, open, signal)) {
    if (line === 'ended') continue;
    from = line.next ?? from;
    yield line;
    if (line.session !== undefined) return;
  }
}

/** The screen and its changes, to the end of the session; after a lost connection it begins with the present one. */
export async function* readScreens(
  transport: Transport,
  clock: Clock,
  input: Given<'session.screens'>,
  signal?: AbortSignal,
): AsyncGenerator<ScreenLine, void, void> {
  const open = () => transport.follow('session.screens', input, signal);
  for await (const line of followOn(transport, clock, open, signal)) {
    if (line === 'ended') continue;
    yield line;
    if (line.ended) return;
  }
}

/** Reads events from a position; when the connection breaks, a follower continues where it was. */
export async function* readEvents(
  transport: Transport,
  clock: Clock,
  input: Given<'session.events'>,
  signal?: AbortSignal,
): AsyncGenerator<EventLine, void, void> {
  let { after, limit, last } = input;
  const open = () =>
    transport.follow('session.events', { ...input, after, limit, last } as CallInput<'session.events'>, signal);
  for await (const event of followOn(transport, clock, open, signal)) {
    if (event === 'ended' && (input.follow !== true || limit === 0)) return;
    if (event === 'ended') continue;
    after = cursorOf(event);
    // From now on the position counts, not the number of events.
    last = undefined;
    if (limit !== undefined) limit -= 1;
    yield event;
  }
}

/** Reads the steps of a conversation; when the connection breaks, a follower continues with the turn where it was. */
export async function* readTurns(
  transport: Transport,
  clock: Clock,
  input: Given<'session.turns'>,
  signal?: AbortSignal,
): AsyncGenerator<TurnLine, void, void> {
  let from = input.from;
  const open = () => transport.follow('session.turns', { ...input, from } as CallInput<'session.turns'>, signal);
  for await (const line of followOn(transport, clock, open, signal)) {
    if (line === 'ended') {
      // A daemon that shuts down ends it too.
      if (input.follow !== true || (await hasEnded(transport, clock, input.session, signal))) return;
      continue;
    }
    from = line.turn;
    yield line;
  }
}

/** How many lines are remembered, to tell none twice. */
const LINES_MAX = 20_000;

/** Reads the logs of a session; when the connection breaks, a follower continues and repeats no line. */
export async function* readLogs(
  transport: Transport,
  clock: Clock,
  input: Given<'session.logs'>,
  signal?: AbortSignal,
): AsyncGenerator<LogLine, void, void> {
  const told = new Map<string, string>();
  let { last, from } = input;
  const open = () => transport.follow('session.logs', { ...input, last, from } as CallInput<'session.logs'>, signal);
  for await (const line of followOn(transport, clock, open, signal)) {
    if (line === 'ended') {
      if (input.follow !== true || (await hasEnded(transport, clock, input.session, signal))) return;
      continue;
    }
    // From now on the prompts count, not the lines. Lines of the prompt before may still change.
    last = undefined;
    from = Math.max(input.from ?? 0, line.turn - 1);
    const { atMs: _, ...facts } = line;
    const text = line.is === 'piece' ? '' : JSON.stringify(facts);
    if (text !== '' && told.get(line.id) === text) continue;
    if (text !== '') told.set(line.id, text);
    const [oldest] = told.keys();
    if (told.size > LINES_MAX && oldest !== undefined) told.delete(oldest);
    yield line;
  }
}

/** Has this session ended? Asked until there is an answer. */
export async function hasEnded(
  transport: Transport,
  clock: Clock,
  session: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const outage = new Outage(clock, { unstarted: true, tell: transport.tell });
  const ask = () => transport.call('session.show', { session }, signal);
  return (await enduring(outage, ask, signal)).session.phase === 'ended';
}

/**
 * The lines of a stream that is reopened whenever it breaks, however often. Where it ended without an error, because it
 * is complete or because a daemon shuts down, it yields `ended`: the reader knows which it was, and may stop.
 */
export async function* followOn<T>(
  transport: Pick<Transport, 'tell'>,
  clock: Clock,
  open: () => AsyncIterable<T>,
  signal?: AbortSignal,
): AsyncGenerator<T | 'ended', void, void> {
  const outage = new Outage(clock, { unstarted: true, tell: transport.tell });
  for (;;) {
    try {
      yield* open();
    } catch (error) {
      await outage.next(error, signal);
      continue;
    }
    yield 'ended';
    await clock.sleep(PAUSE_MS, signal);
    signal?.throwIfAborted();
  }
}
