/** The known state of a Qwen Code process that is driven by messages, from its messages and ours. Plain JSON. */
export interface QwenState {
  /** The open conversation; null: the handshake is not complete. */
  readonly conversation: string | null;
  /** The running turn; null: none. */
  readonly turn: Turn | null;
  /** The running calls, by their id. */
  readonly calls: Readonly<Record<string, OpenTool>>;
  /** The requests that wait for an answer, by the id of their call. */
  readonly questions: Readonly<Record<string, string>>;
  /** How many turns there were. */
  readonly turns: number;
  /** The ids of messages that were sent, the newest last. */
  readonly sent: readonly string[];
  /** A turn has failed: it no longer writes down what follows. */
  readonly isSpent: boolean;
  readonly trouble: string | null;
}

/** A turn, and what came of it so far. */
export interface Turn {
  /** The prompt that began it; null: Qwen Code began it itself, for example when a command in the background ended. */
  readonly token: string | null;
  /** Qwen Code has shown that it works on it. */
  readonly isBegun: boolean;
}

/** A running call. */
export interface OpenTool {
  readonly name: string;
  readonly input: unknown;
}

/** How many ids are kept that only serve as proof. */
const IDS_MAX = 256;

export const NOTHING_SAID: QwenState = {
  conversation: null,
  turn: null,
  calls: {},
  questions: {},
  turns: 0,
  sent: [],
  isSpent: false,
  trouble: null,
};

/** Adds an id at the end, each once. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((each) => each !== id), id].slice(-IDS_MAX);
}

/** Removes the entry of this key. */
export function without<V>(entries: Readonly<Record<string, V>>, key: string): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== key));
}
