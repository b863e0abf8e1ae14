import type { Clock } from '../../../base/clock.ts';
import type { Answer, Stage } from './turn.ts';

type Ask = NonNullable<Stage['ask']>;

/**
 * How echo asks before it uses a tool, where it was told to ask. All but the first two are wrong, for tests of what
 * finds that out.
 */
const MANNERS = {
  waits: (ask: Ask): Ask => ask,
  /** After a reconnect it asks again a while after it has said how things stand. */
  repeats: (ask: Ask): Ask => ask,
  /** Asks nobody. */
  skips: (): Ask => async () => YES,
  /** Asks, and does not wait for the answer. */
  rushes:
    (ask: Ask): Ask =>
    async (...given) => {
      // The answer may never come, and changes nothing.
      ask(...given).catch(() => {});
      return YES;
    },
  /** Asks about everything but a command that only reads. */
  reads:
    (ask: Ask): Ask =>
    async (turn, call, signal) =>
      JSON.stringify(call.input) === '{"command":"pwd"}' ? YES : ask(turn, call, signal),
  /** Takes no answer for a yes after a while. */
  impatient:
    (ask: Ask, clock: Clock): Ask =>
    (turn, call, signal) =>
      Promise.race([ask(turn, call, signal), clock.sleep(IMPATIENT_MS, signal).then(() => YES)]),
  /** Takes every answer for a no. */
  refuses:
    (ask: Ask): Ask =>
    async (...given) => ({ ...(await ask(...given)), allow: false }),
} as const;

const YES: Answer = { allow: true, why: '' };
const IMPATIENT_MS = 500;

/** One of the ways in which echo asks. */
export type Manner = keyof typeof MANNERS;

/** The manner of this name; none has another name. */
export function mannerOf(name: string | undefined): Manner {
  return name !== undefined && Object.hasOwn(MANNERS, name) ? (name as Manner) : 'waits';
}

/** Asks in this manner. */
export function askIn(manner: Manner, ask: Ask, clock: Clock): Ask {
  return MANNERS[manner](ask, clock);
}
