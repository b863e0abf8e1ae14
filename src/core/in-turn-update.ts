import { CHAIN_MAX, type ChildUpdate, childUpdatesText, type Updates, withTurn } from './ownership.ts';
import type { PromptId } from './session.ts';

// Updates that reach an agent in the middle of a turn: staged in a file, and delivered by the hook after a tool call.
// 1. At most one is staged at a time, and it is in the journal before it is staged. 2. Renaming the file claims it: the
// hook to deliver it, or the daemon to withdraw it. Until then its updates are delivered in no other way. 3. The
// transcript decides whether a claimed update was delivered; if it has none, its updates are queued as before.

/** Updates that are staged for a turn. */
export interface InTurnUpdate {
  /** Part of the text, so that the transcript proves the delivery. */
  readonly id: string;
  readonly run: number;
  /** The prompt whose turn it is. */
  readonly prompt: PromptId;
  /** The journal positions of the updates. */
  readonly positions: readonly number[];
  /** How many updates led to them, one after the other. */
  readonly chain: number;
  readonly sinceMs: number;
}

/**
 * Where staged updates are. none: not written yet, or lost in a power cut. out: not claimed. taken: claimed by a hook.
 * back: withdrawn by us. told: the agent's transcript has them.
 */
export type InTurnUpdateSnapshot = 'none' | 'out' | 'taken' | 'back' | 'told';

/** Events about staged updates, except their delivery. */
export type InTurnUpdateBody =
  | {
      readonly type: 'update.staged';
      readonly inTurnUpdate: string;
      readonly run: number;
      readonly prompt: PromptId;
      readonly positions: readonly number[];
      readonly chain: number;
    }
  /**
   * They were not delivered and are queued again. taken: a hook claimed them, but the transcript does not have them.
   */
  | {
      readonly type: 'update.withdrawn';
      readonly inTurnUpdate: string;
      readonly count: number;
      readonly taken: boolean;
    };

/** Agents set longer texts aside: above ten thousand characters. */
const CHARS_MAX = 8_000;
/** Room for the frame around the updates. */
const FRAME_CHARS = 250;

/** The updates to stage for a turn: the oldest ones that fit, and none that would continue a cycle. */
export function fittingUpdates(wakes: readonly ChildUpdate[], chainMax = CHAIN_MAX): readonly ChildUpdate[] {
  const straight = wakes.filter(({ chain }) => chain < chainMax);
  let chars = FRAME_CHARS;
  const end = straight.findIndex(({ text }) => {
    chars += text.length + 1;
    return chars > CHARS_MAX;
  });
  return end < 0 ? straight : straight.slice(0, end);
}

/** The text for the agent. */
export function inTurnUpdateText({ queued }: Updates, { id, positions }: InTurnUpdate): string {
  return childUpdatesText(
    queued.filter(({ position }) => positions.includes(position)),
    id,
  );
}

/** The state after delivery: as if an update had started the turn, at the time it was staged. */
export function afterDelivery(s: Updates, inTurn: InTurnUpdate): Updates {
  const chain = Math.max(inTurn.chain, s.turnsBegun.at(-1)?.chain ?? 0);
  return {
    queued: s.queued.filter(({ position }) => !inTurn.positions.includes(position)),
    inTurn: null,
    // A turn that is cut off continues with everything that led to it.
    prompt: { id: inTurn.prompt, chain },
    ...withTurn(s, { sinceMs: inTurn.sinceMs, chain }),
  };
}
