import type { OpenCall } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { TurnEnd } from '../seam/turns.ts';
import type { Event } from './events.ts';
import { troubleOf } from './trouble.ts';

/** How many calls are kept. */
const CALLS_MAX = 1_000;

/** What events say about one turn so far. */
export interface TurnSoFar {
  readonly end: TurnEnd;
  readonly calls: ReadonlyMap<string, OpenCall>;
  /** The ids of all calls that were made. */
  readonly called: readonly string[];
}

/** A turn of which nothing is known but its prompt. */
export const BEGUN: TurnSoFar = { end: { turn: 'open', reply: '' }, calls: new Map(), called: [] };

/** The turn after one more event. */
export function turnAfter(turn: TurnSoFar, event: Event): TurnSoFar {
  switch (event.is) {
    case 'asked':
      return { ...turn, end: { turn: 'open', reply: turn.end.reply } };
    case 'reply':
      // A reply without calls is the last one.
      return { ...turn, end: { turn: event.calls.length === 0 ? 'closed' : 'open', reply: event.text } };
    case 'started':
      return { ...turn, called: [...turn.called, event.id].slice(0, CALLS_MAX), calls: withCall(turn.calls, event) };
    case 'ended': {
      const calls = new Map(turn.calls);
      calls.delete(event.result.id);
      return { ...turn, calls };
    }
    case 'failed': {
      const { failure, atMs } = event;
      return { ...turn, end: { turn: 'failed', reply: failure.text, trouble: troubleOf(failure, atMs ?? 0) } };
    }
    case 'aborted':
      return { ...turn, end: { turn: 'interrupted', reply: turn.end.reply } };
    default:
      return turn;
  }
}

function withCall(
  calls: ReadonlyMap<string, OpenCall>,
  { id, name, input }: Extract<Event, { is: 'started' }>,
): ReadonlyMap<string, OpenCall> {
  if (calls.size >= CALLS_MAX) return calls;
  return new Map(calls).set(id, { id, tool: name, input: shortened(JSON.stringify(input) ?? '') });
}
