import type { Actor } from './actor.ts';
import type { LastTurn, OpenCall } from './prompt.ts';

/** What the agent is doing, and what is remembered of earlier turns. */
export interface Turn {
  readonly calls: readonly OpenCall[];
  /** The calls that ended last: an agent that is killed may not have written them down. Missing: none. */
  readonly done?: readonly OpenCall[];
  /** The calls of this turn that ended before those, newest last. Missing: none. */
  readonly earlier?: readonly OpenCall[];
  /** The agent's own ids of its running sub-agents. */
  readonly subagents: readonly string[];
  /** A turn that no prompt of ours started: a person's, or one the agent started by itself. */
  readonly other: { readonly turnId: string | null } | null;
  /** The running turn is being interrupted. */
  readonly interrupting: { readonly by: Actor; readonly sinceMs: number } | null;
  readonly last: LastTurn | null;
  /** The agent's own ids of known turns, newest last: reports about them are not new. */
  readonly turnIds: readonly string[];
  /** The last fact without an id of its own: the same once more is a repetition. */
  readonly noted: string | null;
  /** A text of ours that may still be in the input box although it must not be sent. */
  readonly stale: string | null;
  /** When a hook last reported. */
  readonly progressAtMs: number;
  /** When its agent last got a reply. */
  readonly answeredAtMs: number | null;
}
