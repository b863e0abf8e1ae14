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
  /** The same by model. */
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
export interface Word {
  readonly atMs: number;
  readonly usage: Usage;
  readonly resumes: number;
}
