import { type Entry, type PromptKind, type Reply, SYNTHETIC } from './transcript-entry.ts';

/** A tool call without a result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The last relevant record, reduced to what decides the state of the conversation. */
export type LastRecord =
  | (Pick<Reply, 'is' | 'message' | 'model' | 'stopReason' | 'error'> & {
      readonly text: string;
      readonly hasText: boolean;
    })
  | { readonly is: 'prompt'; readonly how: PromptKind }
  | { readonly is: 'retrying'; readonly text: string }
  | { readonly is: 'deferred'; readonly call: string }
  | { readonly is: 'results' | 'interrupted' | 'unreadable' };

/** An API error in place of an answer. */
export interface Failure {
  readonly error: string;
  readonly text: string;
  readonly atMs: number | null;
}

interface Message {
  /** The texts since the last prompt. */
  readonly texts: readonly string[];
  /** It has a text, even if an empty one. */
  readonly hasText: boolean;
}

/** The records of one message are close together: after this many other messages none follows. */
const MESSAGES_MAX = 64;

/**
 * The state of a conversation, or of a part of it, computed record by record. It keeps only what decides, so it stays
 * small however long a turn gets.
 */
export class Standing {
  /** No record was seen. */
  isEmpty = true;
  last: LastRecord | null = null;
  /** The kind of the last record of a turn. */
  lastOfTurn: Entry['is'] | null = null;
  lastFailure: Failure | null = null;
  /** The last text that the agent got, even in the middle of a turn. */
  lastPrompt: string | null = null;
  #open = new Map<string, OpenCall>();
  #messages = new Map<string, Message>();
  #reply: { readonly message: string | null; readonly text: string } | null = null;

  copy(): Standing {
    const copy = new Standing();
    const { isEmpty, last, lastOfTurn, lastFailure, lastPrompt } = this;
    Object.assign(copy, { isEmpty, last, lastOfTurn, lastFailure, lastPrompt });
    copy.#open = new Map(this.#open);
    copy.#messages = new Map(this.#messages);
    copy.#reply = this.#reply;
    return copy;
  }

  /** Adds a record. Records of sub-agents and noise are not part of the conversation. */
  add(entry: Entry): void {
    if (entry.sidechain !== null || entry.is === 'noise') return;
    this.isEmpty = false;
    if (entry.is === 'prompt') this.#prompt(entry.how, entry.text);
    if (entry.is === 'reply') this.#addReply(entry);
    if (entry.is === 'results') for (const { id } of entry.results) this.#open.delete(id);
    if (matters(entry)) this.last = lastOf(entry);
    if (isOfTurn(entry)) this.lastOfTurn = entry.is;
  }

  /** Calls of the last turn whose result is not recorded. */
  get openCalls(): readonly OpenCall[] {
    return [...this.#open.values()];
  }

  /** The text of the model's last message since the last prompt, complete or not. */
  get reply(): string | null {
    if (this.#reply === null) return null;
    const { message, text } = this.#reply;
    return message === null ? text : (this.#messages.get(message)?.texts.join('\n') ?? text);
  }

  /** True when the message of this record has a text. */
  hasText({ message, hasText }: { readonly message: string | null; readonly hasText: boolean }): boolean {
    return hasText || (message !== null && this.#messages.get(message)?.hasText === true);
  }

  #prompt(how: PromptKind, text: string): void {
    // A resumed conversation never gets the results of the run that died, so the new prompt clears its calls.
    if (how === 'typed') this.#open.clear();
    if (how !== 'typed' && how !== 'steering') return;
    this.lastPrompt = text;
    // The reply to an earlier prompt must not count as the reply to this one.
    this.#reply = null;
    for (const [id, message] of this.#messages) this.#messages.set(id, { ...message, texts: [] });
  }

  #addReply(reply: Reply): void {
    for (const block of reply.blocks)
      if (block.is === 'call') this.#open.set(block.id, { id: block.id, name: block.name, input: block.input });
    const { message, model, error, atMs } = reply;
    const text = textOf(reply);
    if (message !== null) this.#addMessage(message, text, hasText(reply));
    if (error !== null) this.lastFailure = { error, text, atMs };
    else if (model !== SYNTHETIC && text !== '') this.#reply = { message, text };
  }

  #addMessage(id: string, text: string, has: boolean): void {
    const { texts, hasText } = this.#messages.get(id) ?? { texts: [], hasText: false };
    this.#messages.delete(id);
    this.#messages.set(id, { texts: text === '' ? texts : [...texts, text], hasText: hasText || has });
    if (this.#messages.size <= MESSAGES_MAX) return;
    const oldest = [...this.#messages.keys()].find((each) => each !== this.#reply?.message);
    if (oldest !== undefined) this.#messages.delete(oldest);
  }
}

/** Commands of Claude Code itself, and compaction boundaries, do not change the state of a conversation. */
export function matters(entry: Entry): boolean {
  if (entry.is === 'prompt') return entry.how !== 'command' && entry.how !== 'kept';
  return entry.is !== 'noise' && entry.is !== 'compacted';
}

/** True for a record of a turn. A file without one is not a conversation to Claude Code. */
export function isOfTurn(entry: Entry): boolean {
  return entry.is !== 'noise' && entry.is !== 'unreadable' && !(entry.is === 'prompt' && entry.how === 'kept');
}

/** Keeps only what decides of a record that may be large. */
function lastOf(entry: Entry): LastRecord {
  switch (entry.is) {
    case 'reply': {
      const { is, message, model, stopReason, error } = entry;
      return { is, message, model, stopReason, error, text: textOf(entry), hasText: hasText(entry) };
    }
    case 'prompt':
      return { is: 'prompt', how: entry.how };
    case 'retrying':
      return { is: 'retrying', text: entry.text };
    case 'deferred':
      return { is: 'deferred', call: entry.call };
    case 'results':
    case 'interrupted':
      return { is: entry.is };
    default:
      return { is: 'unreadable' };
  }
}

function hasText(reply: Reply): boolean {
  return reply.blocks.some(({ is }) => is === 'text');
}

function textOf(reply: Reply): string {
  return reply.blocks.flatMap((block) => (block.is === 'text' ? [block.text] : [])).join('\n');
}
