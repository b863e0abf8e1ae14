import type { CallInput, CallOutput } from '../api/contract.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import type { Given } from './given.ts';

/** One piece of followed output; the last one carries the session as it ended. */
export type Line = CallOutput<'session.follow'>;

/** One event of the journal. */
export type EventLine = CallOutput<'session.events'>;

const FRUITLESS_MAX = 3;
const PAUSE_MS = 50;

/** Follows output to its end. When the connection breaks it goes on from the last offset it has seen. */
export async function* follow(
  transport: Transport,
  clock: Clock,
  input: Given<'session.follow'>,
  signal?: AbortSignal,
): AsyncGenerator<Line, void, void> {
  let from = input.from;
  for (let fruitless = 0; ; fruitless += 1) {
    if (fruitless > 0) await clock.sleep(PAUSE_MS, signal);
    try {
      for await (const line of transport.follow(
        'session.follow',
        { ...input, from } as CallInput<'session.follow'>,
        signal,
      )) {
        fruitless = 0;
        from = line.next ?? from;
        yield line;
        if (line.session !== undefined) return;
      }
      if (fruitless >= FRUITLESS_MAX) throw noEnd(`the output of ${input.session}`);
    } catch (error) {
      if (!isLost(error) || fruitless >= FRUITLESS_MAX) throw error;
    }
  }
}

/** Reads events from a position; a follower goes on where it was when the connection breaks. */
export async function* readEvents(
  transport: Transport,
  clock: Clock,
  input: Given<'session.events'>,
  signal?: AbortSignal,
): AsyncGenerator<EventLine, void, void> {
  let { after, limit, last } = input;
  for (let fruitless = 0; ; fruitless += 1) {
    if (fruitless > 0) await clock.sleep(PAUSE_MS, signal);
    try {
      const rest = { ...input, after, limit, last } as CallInput<'session.events'>;
      for await (const event of transport.follow('session.events', rest, signal)) {
        fruitless = 0;
        after = event.position;
        // From here on what matters is where we are, not how many there were.
        last = undefined;
        if (limit !== undefined) limit -= 1;
        yield event;
      }
      if (input.follow !== true || limit === 0) return;
      if (fruitless >= FRUITLESS_MAX) throw noEnd('the journal');
    } catch (error) {
      if (!isLost(error) || fruitless >= FRUITLESS_MAX || limit === 0) throw error;
    }
  }
}

/** Did the connection break, and not the call? */
export function isLost(error: unknown): boolean {
  return error instanceof OutlastError && error.code === 'daemon_unreachable';
}

/** A daemon that ends a stream again and again without a word is no daemon to follow. */
export function noEnd(what: string): OutlastError {
  return new OutlastError(
    'daemon_unreachable',
    `following ${what}: the daemon ended the stream ${FRUITLESS_MAX} times without a word`,
  );
}
