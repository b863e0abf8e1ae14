import type { PromptId } from './session.ts';

/** What one model was used for. */
export interface Spent {
  /** As the agent names it; null: it does not say. */
  readonly model: string | null;
  readonly tokens: number;
  /** As the agent reckons; null: it does not say. */
  readonly usd: number | null;
}

/** What was written down as used up since the last count. */
export interface Used extends Omit<Spent, 'model'> {
  /** What was used up, by model. */
  readonly by?: readonly Spent[];
  /** The agent's own id of the last message in it. */
  readonly upTo?: string | null;
}

/** Where the last count ended. */
export interface Counted {
  /** The last message in it, by the agent's own id; null: nobody knows. */
  readonly message: string | null;
  /** When it was counted, on the wall. */
  readonly atMs: number;
}

/** What a session has used up so far. */
export interface Usage {
  readonly turns: number;
  readonly tokens: number;
  /** As the agent reckons; null: it does not say. */
  readonly usd: number | null;
}

/** A person's word that a session shall go on. */
export interface ManualResume {
  readonly atMs: number;
  readonly usage: Usage;
  readonly resumes: number;
}

/** What it has used up, and from where its bounds are counted. */
export interface Accounting {
  readonly usage: Usage;
  /** When somebody last said that it shall go on, and what it had used up: its bounds are counted from there. */
  readonly manualResume: ManualResume | null;
  /** The last turn whose use is in there. */
  readonly counted: PromptId | null;
  /** How far the agent's own messages are; null: none is. */
  readonly countedUpTo: Counted | null;
  /** How long it was parked by limits: that time is nobody's. */
  readonly parkedMs: number;
}
