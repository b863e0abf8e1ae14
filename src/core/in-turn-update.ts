import { CHAIN_MAX, type ChildUpdate, childUpdatesText, type Ownership, withTurn } from './ownership.ts';
import type { PromptId } from './session.ts';

// News that reach an agent in the middle of a turn: laid out in a file, and taken along by the hook after a tool.
// 1. One offer at a time, written down before it is laid out.
// 2. Who takes the file has it: the hook, to tell it, or we, to take it back. Nothing is told another way before.
// 3. The transcript decides whether what was taken was told; what is not in there is told as if it was never offered.

/** News that are laid out for a turn. */
export interface InTurnUpdate {
  /** It stands in the text: where the transcript has it, it was told. */
  readonly id: string;
  readonly run: number;
  /** Whose turn it is. */
  readonly prompt: PromptId;
  /** Which of the news. */
  readonly positions: readonly number[];
  /** How many wakes led to them. */
  readonly chain: number;
  readonly sinceMs: number;
}

/**
 * Where an offer is. none: not laid out yet, or lost with the power. out: nobody has taken it. taken: a hook has.
 * back: we have. told: the agent's transcript has it.
 */
export type InTurnUpdateSnapshot = 'none' | 'out' | 'taken' | 'back' | 'told';

/** The facts about offers, besides that one was told. */
export type InTurnUpdateBody =
  | {
      readonly type: 'update.staged';
      readonly inTurnUpdate: string;
      readonly run: number;
      readonly prompt: PromptId;
      readonly positions: readonly number[];
      readonly chain: number;
    }
  /** Nobody was told: they are news as before. taken: a hook took them, and the agent never wrote them down. */
  | {
      readonly type: 'update.withdrawn';
      readonly inTurnUpdate: string;
      readonly count: number;
      readonly taken: boolean;
    };

/** Agents keep what is longer than ten thousand characters for later. */
const CHARS_MAX = 8_000;
/** The words around the news. */
const FRAME_CHARS = 250;

/** Which news a turn is offered: the oldest that fit, and none that came round in a circle. */
export function fittingUpdates(wakes: readonly ChildUpdate[], chainMax = CHAIN_MAX): readonly ChildUpdate[] {
  const straight = wakes.filter(({ chain }) => chain < chainMax);
  let chars = FRAME_CHARS;
  const end = straight.findIndex(({ text }) => {
    chars += text.length + 1;
    return chars > CHARS_MAX;
  });
  return end < 0 ? straight : straight.slice(0, end);
}

/** What the agent is told. */
export function inTurnUpdateText({ childUpdates }: Ownership, { id, positions }: InTurnUpdate): string {
  return childUpdatesText(
    childUpdates.filter(({ position }) => positions.includes(position)),
    id,
  );
}

/** What a session knows when the agent was told: as if a wake had begun the turn, from when it was offered. */
export function afterDelivery(
  s: Ownership,
  inTurnUpdate: InTurnUpdate,
): Pick<Ownership, 'childUpdates' | 'inTurnUpdate' | 'updatePrompt' | 'turnsBegun'> {
  const chain = Math.max(inTurnUpdate.chain, s.turnsBegun.at(-1)?.chain ?? 0);
  return {
    childUpdates: s.childUpdates.filter(({ position }) => !inTurnUpdate.positions.includes(position)),
    inTurnUpdate: null,
    // A turn that is cut off goes on with all that led to it.
    updatePrompt: { id: inTurnUpdate.prompt, chain },
    ...withTurn(s, { sinceMs: inTurnUpdate.sinceMs, chain }),
  };
}
