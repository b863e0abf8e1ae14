import type { Counted } from '../../core/usage.ts';
import type { CountedMessage } from './usage.ts';

/** How many counted messages are kept: the last ones may not be complete yet. */
const COUNTED_MAX = 64;
/** How many are kept in all, in case they are not counted. */
const SPOKEN_MAX = 50_000;

/** The messages of a conversation, each once, however often it was recorded. */
export class MessageLog {
  /** Shared between copies: replaced, never modified. */
  #byMessage: ReadonlyMap<string, CountedMessage> = new Map();
  /** A private copy that this log may modify; null until it is needed. */
  #own: Map<string, CountedMessage> | null = null;

  copy(): MessageLog {
    const copy = new MessageLog();
    copy.#byMessage = this.#byMessage;
    // From now on it is shared, so neither may modify it.
    this.#own = null;
    return copy;
  }

  /** A known message keeps its prompt; its usage is the last one recorded. */
  put(spoken: CountedMessage): void {
    const all = this.#change();
    const { tokens, byKind, weight, usd } = spoken;
    const known = all.get(spoken.message);
    all.set(
      spoken.message,
      known === undefined ? spoken : { ...known, tokens, byKind, weight, ...(usd !== undefined && { usd }) },
    );
    if (all.size > SPOKEN_MAX) all.delete(all.keys().next().value ?? '');
  }

  /** Oldest first. */
  get all(): readonly CountedMessage[] {
    return [...this.#byMessage.values()];
  }

  /** Drops counted messages, except the last. */
  after(counted: Counted): MessageLog {
    const { all } = this;
    const at = all.findLastIndex(({ message }) => message === counted.message);
    const isOld = ({ atMs }: CountedMessage): boolean => atMs !== null && atMs < counted.atMs;
    const last = at >= 0 ? at : all.findLastIndex(isOld);
    const from = last + 1 - COUNTED_MAX;
    // Not for every message: a copy costs as much as what is kept.
    if (from < COUNTED_MAX) return this;
    const copy = new MessageLog();
    // If the counted message is not found, timestamps decide for each message.
    copy.#byMessage = new Map(
      all.filter((one, i) => i >= from || (at < 0 && !isOld(one))).map((one) => [one.message, one]),
    );
    return copy;
  }

  #change(): Map<string, CountedMessage> {
    this.#own ??= new Map(this.#byMessage);
    this.#byMessage = this.#own;
    return this.#own;
  }
}
