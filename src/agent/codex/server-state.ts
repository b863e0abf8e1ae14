import type { Tool } from './items.ts';

/** The known state of a Codex server, from its messages and ours. Plain JSON. */
export interface CodexState {
  readonly thread: string | null;
  /** The process was started before this connection. */
  readonly isAdopted: boolean;
  /** The running turn. */
  readonly turn: string | null;
  /** The last text of the model in it. */
  readonly reply: string;
  /** The running calls, by their id. */
  readonly calls: Readonly<Record<string, OpenItem>>;
  /** The open questions, by name. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The ids of received prompts, the newest last. */
  readonly received: readonly string[];
  /** The ids of messages that were sent, and of those that were refused. */
  readonly sent: readonly string[];
  readonly refused: readonly string[];
  readonly resetsAtMs: number | null;
  /** Why there is no conversation. */
  readonly trouble: string | null;
}

/** A running call, and its conversation. */
export interface OpenItem extends Pick<Tool, 'name' | 'input'> {
  readonly thread: string;
}

/** A request of the server that waits for an answer. */
export interface Question {
  readonly request: string | number;
  readonly kind: 'approval' | 'elicitation';
  /** The conversation that it belongs to. */
  readonly thread: string | null;
}

/** How many ids are kept that only serve as proof. */
const IDS_MAX = 256;

export const NOTHING_SAID: CodexState = {
  thread: null,
  isAdopted: false,
  turn: null,
  reply: '',
  calls: {},
  questions: {},
  received: [],
  sent: [],
  refused: [],
  resetsAtMs: null,
  trouble: null,
};

/** Adds an id at the end, each once. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((each) => each !== id), id].slice(-IDS_MAX);
}

/** Removes the entries of this conversation. */
export function withoutThread<V extends { readonly thread: string | null }>(
  entries: Readonly<Record<string, V>>,
  thread: string | null,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([, each]) => each.thread !== thread));
}

/** Removes the entry of this key. */
export function without<V>(entries: Readonly<Record<string, V>>, key: string): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== key));
}
