import type { ConversationId, Phase, PromptId } from './session.ts';

/** A remedy for the conversation itself, tried once: compact it, or continue with a copy. */
export type Remedy = 'compact' | 'fork';

/** How an agent shortens its conversation: by a command, or by itself in the turn after the one that failed. */
export type CompactWay = { readonly by: 'command'; readonly text: string } | { readonly by: 'next-turn' };

/** What was tried since the last answer. */
export interface Remediation {
  readonly tried: readonly Remedy[];
  /** The conversation that ours is a copy of, or will be as soon as the agent names the copy. */
  readonly origin: ConversationId | null;
}

/** A command for the agent itself, sent before the prompt that it helps. */
export interface RemedyCommand {
  readonly prompt: PromptId;
  readonly text: string;
}

/** The phase of a session before a person's visit, to which it returns afterwards. */
export interface SuspendedPhase {
  readonly phase: Extract<Phase, { at: 'held' | 'limited' }>;
  /** A turn of the person was answered: the obstacle is gone. */
  readonly solved: boolean;
}

/** Nothing was tried. */
export const NO_REMEDIATION: Remediation = { tried: [], origin: null };
