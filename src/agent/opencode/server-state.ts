import type { Fields } from '../seam/json.ts';

/** What is known of a server of OpenCode by what it said and what was sent to it. Plain JSON. */
export interface OpencodeState {
  readonly session: string | null;
  /** When the conversation was made; ids of messages are made of the time. */
  readonly createdMs: number;
  /** The newest message: an id of ours has to be greater. */
  readonly lastMessage: string;
  readonly isBusy: boolean;
  /** The process had been started before this connection. */
  readonly isAdopted: boolean;
  /** The messages of the user that are not answered, oldest first. */
  readonly turns: readonly string[];
  /** The last message of the model: what it answers, and its texts by part. */
  readonly reply: {
    readonly message: string;
    readonly prompt: string;
    readonly texts: Readonly<Record<string, string>>;
  };
  /** What went wrong in the turn. */
  readonly error: Fields | null;
  /** Messages of the user that are there, the newest last. */
  readonly received: readonly string[];
  /** Those whose text was not told yet. */
  readonly unreported: readonly string[];
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** What it asks, by the id of the question. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The sub-agents that are at work. */
  readonly children: readonly string[];
  /** Our calls: those that have left us, that were taken, and that were refused. */
  readonly sent: readonly string[];
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  /** Why it cannot be used. */
  readonly trouble: string | null;
}

/** A tool call that is being made. */
export interface OpenCall {
  readonly tool: string;
  readonly input: unknown;
}

/** A question that waits for an answer. */
export interface Question {
  readonly session: string;
}

/** Of ids that only prove something so many are kept. */
const IDS_MAX = 256;

export const NOTHING_SAID: OpencodeState = {
  session: null,
  createdMs: 0,
  lastMessage: '',
  isBusy: false,
  isAdopted: false,
  turns: [],
  reply: { message: '', prompt: '', texts: {} },
  error: null,
  received: [],
  unreported: [],
  calls: {},
  questions: {},
  children: [],
  sent: [],
  taken: [],
  refused: [],
  trouble: null,
};

/** With one more id at the end, each once. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((each) => each !== id), id].slice(-IDS_MAX);
}

/** Without this id. */
export function withoutId(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((each) => each !== id);
}

/** Without the entry of this key. */
export function without<V>(entries: Readonly<Record<string, V>>, key: string): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== key));
}
