import type { AcpTool } from './dialect.ts';

/** The known state of an agent, from its messages and ours. Plain JSON. */
export interface AcpState {
  /** How the conversation is opened, once the agent has said what it can do. */
  readonly opening: Opening | null;
  /** The open conversation. */
  readonly session: string | null;
  /** A prompt may have images; missing: it has not said so. */
  readonly takesImages?: boolean;
  /** The mode of the conversation is set, so that prompts can be sent. */
  readonly isReady: boolean;
  /** The running turn. */
  readonly turn: Turn | null;
  /** The calls that were reported and have not ended, by their id. */
  readonly calls: Readonly<Record<string, AcpTool>>;
  /** Calls that were not allowed and that no message will report as ended; missing: there are none. */
  readonly refused?: readonly string[];
  /** The open questions, by name. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The ids of messages that were sent, the newest last. */
  readonly sent: readonly string[];
  /** Why it cannot be used. */
  readonly trouble: string | null;
}

/** What opens the conversation. */
export interface Opening {
  readonly workspace: string;
  /** The conversation to load; null: a new one. */
  readonly conversation: string | null;
  /** The mode to set in it; null: none. */
  readonly mode: string | null;
}

/** A prompt that was sent, and what came of it so far. */
export interface Turn {
  readonly token: string;
  /** The agent has shown that it works on it. */
  readonly isBegun: boolean;
  /** The text of the model since the last call. */
  readonly reply: string;
}

/** A request for permission that waits for an answer. */
export interface Question {
  readonly request: string | number;
  /** The call that only this question has told of; missing: a message before it has. */
  readonly announces?: string;
  /** The options that count for this call alone; null: there is none. */
  readonly allow: string | null;
  readonly reject: string | null;
}

/** How many ids are kept that only serve as proof. */
const IDS_MAX = 256;

export const NOTHING_SAID: AcpState = {
  opening: null,
  session: null,
  isReady: false,
  turn: null,
  calls: {},
  questions: {},
  sent: [],
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
