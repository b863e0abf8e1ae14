import type { ConversationId, Phase, PromptId } from './session.ts';

/** What is tried once against a trouble of the conversation itself: making it shorter, or going on with a copy. */
export type Remedy = 'compact' | 'fork';

/** What was tried since the last answer. */
export interface Remediation {
  readonly tried: readonly Remedy[];
  /** The conversation that ours is a copy of, or will be as soon as the agent names another one. */
  readonly origin: ConversationId | null;
}

/** A command for the agent itself that goes before the prompt it helps. */
export interface RemedyCommand {
  readonly prompt: PromptId;
  readonly text: string;
}

/** Where a session was when a person came to see it, and goes back to when they leave. */
export interface SuspendedPhase {
  readonly phase: Extract<Phase, { at: 'held' | 'limited' }>;
  /** A turn of theirs was answered: what was in the way is gone. */
  readonly solved: boolean;
}

/** Nothing was tried. */
export const NO_REMEDIATION: Remediation = { tried: [], origin: null };
