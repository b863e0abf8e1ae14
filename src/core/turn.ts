import type { Actor } from './actor.ts';
import type { LastTurn, OpenCall } from './prompt.ts';

/** What the agent is doing, and what is remembered of what it did. */
export interface Turn {
  readonly calls: readonly OpenCall[];
  /** The agent's own ids of its sub-agents that are at work. */
  readonly subagents: readonly string[];
  /** A turn that no prompt of ours began: a person's, or one the agent began by itself. */
  readonly other: { readonly turnId: string | null } | null;
  /** Somebody wants the running turn to end. */
  readonly interrupting: { readonly by: Actor; readonly sinceMs: number } | null;
  readonly last: LastTurn | null;
  /** The agent's own ids of turns we know of, newest last: news about them is not new. */
  readonly turnIds: readonly string[];
  /** The last fact that has no id of its own: the same once more is the same news. */
  readonly noted: string | null;
  /** A text of ours that may stand in the input box although nobody wants it sent any more. */
  readonly stale: string | null;
  /** When a hook last said something. */
  readonly progressAtMs: number;
  /** When its agent last got an answer. */
  readonly answeredAtMs: number | null;
}
