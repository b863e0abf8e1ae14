import type { Fields } from '../seam/json.ts';

/** The known state of an OpenCode server, from its messages and ours. Plain JSON. */
export interface OpencodeState {
  readonly session: string | null;
  /** When the conversation was created; message ids are made from the time. */
  readonly createdMs: number;
  /** The newest message: our next id must be greater. */
  readonly lastMessage: string;
  readonly isBusy: boolean;
  /** The calls that opened this connection and have no answer yet. */
  readonly pending: readonly string[];
  /** Events that came before those answers: applied earlier, they would be about other turns than they are. */
  readonly early: readonly Fields[];
  /** It is a copy: its messages have to be read after it was made. */
  readonly isCopy: boolean;
  /** The process was started before this connection. */
  readonly isAdopted: boolean;
  /** The messages of the user without an answer, oldest first. */
  readonly turns: readonly string[];
  /** When the newest message of the user was created. */
  readonly askedAtMs: number;
  /** The turn waits until this time for the end of a limit; null: it does not. */
  readonly limit: { readonly untilMs: number; readonly text: string } | null;
  /** The last message of the model: the prompt that it answers, and its texts by part. */
  readonly reply: {
    readonly message: string;
    readonly prompt: string;
    readonly texts: Readonly<Record<string, string>>;
  };
  /** The error of the turn. */
  readonly error: Fields | null;
  /** Received messages of the user, the newest last. */
  readonly received: readonly string[];
  /** Received messages whose text was not reported yet. */
  readonly unreported: readonly string[];
  readonly calls: Readonly<Record<string, OpenCall>>;
  /** The open questions, by id. */
  readonly questions: Readonly<Record<string, Question>>;
  /** Questions whose call is read first, by id. */
  readonly unclear: Readonly<Record<string, Fields>>;
  /** The running sub-agents. */
  readonly children: readonly string[];
  /** Our calls: sent, accepted and refused ones. */
  readonly sent: readonly string[];
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  /** Why it cannot be used. */
  readonly trouble: string | null;
}

/** A running tool call. */
export interface OpenCall {
  readonly tool: string;
  readonly input: unknown;
}

/** An open question. */
export interface Question {
  readonly session: string;
}

/** How many ids are kept that only serve as proof. */
const IDS_MAX = 256;

export const NOTHING_SAID: OpencodeState = {
  session: null,
  createdMs: 0,
  lastMessage: '',
  isBusy: false,
  pending: [],
  early: [],
  isCopy: false,
  isAdopted: false,
  turns: [],
  askedAtMs: 0,
  limit: null,
  reply: { message: '', prompt: '', texts: {} },
  error: null,
  received: [],
  unreported: [],
  calls: {},
  questions: {},
  unclear: {},
  children: [],
  sent: [],
  taken: [],
  refused: [],
  trouble: null,
};

/** Adds an id at the end, each once. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((each) => each !== id), id].slice(-IDS_MAX);
}

/** Removes this id. */
export function withoutId(ids: readonly string[], id: string): readonly string[] {
  return ids.filter((each) => each !== id);
}

/** Removes the entry of this key. */
export function without<V>(entries: Readonly<Record<string, V>>, key: string): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== key));
}
