import type { Tool } from './items.ts';

/** What is known of a server of Codex by what it said and what was sent to it. Plain JSON. */
export interface CodexState {
  readonly thread: string | null;
  /** The process had been started before this connection. */
  readonly isAdopted: boolean;
  /** The turn that runs. */
  readonly turn: string | null;
  /** What the model said last in it. */
  readonly reply: string;
  /** The calls that are being made, by their id. */
  readonly calls: Readonly<Record<string, OpenItem>>;
  /** What it asks, by the name of the question. */
  readonly questions: Readonly<Record<string, Question>>;
  /** The ids of prompts that it has, the newest last. */
  readonly received: readonly string[];
  /** The ids of messages that have left us, and of those that it refused. */
  readonly sent: readonly string[];
  readonly refused: readonly string[];
  readonly resetsAtMs: number | null;
  /** Why there is no conversation. */
  readonly trouble: string | null;
}

/** A call, and in which conversation it is made. */
export interface OpenItem extends Pick<Tool, 'name' | 'input'> {
  readonly thread: string;
}

/** A request of the server that waits for an answer. */
export interface Question {
  readonly request: string | number;
  readonly kind: 'approval' | 'elicitation';
  /** The conversation in which it is asked. */
  readonly thread: string | null;
}

/** Of ids that only prove something so many are kept. */
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

/** With one more id at the end, each once. */
export function withId(ids: readonly string[], id: string): readonly string[] {
  return [...ids.filter((each) => each !== id), id].slice(-IDS_MAX);
}

/** Without what belongs to this conversation. */
export function withoutThread<V extends { readonly thread: string | null }>(
  entries: Readonly<Record<string, V>>,
  thread: string | null,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([, each]) => each.thread !== thread));
}

/** Without the entry of this key. */
export function without<V>(entries: Readonly<Record<string, V>>, key: string): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(entries).filter(([each]) => each !== key));
}
