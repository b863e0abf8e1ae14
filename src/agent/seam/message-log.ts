import type { Counted } from '../../core/usage.ts';
import type { CountedMessage } from './usage.ts';

/** Of messages that were counted so many are kept: one of them may not be written to its end yet. */
const COUNTED_MAX = 64;
/** And so many in all, should nobody count. */
const SPOKEN_MAX = 50_000;

/** The messages of a conversation, each once, however often it is written down. */
export class MessageLog {
  /** Shared by copies: never changed, only replaced. */
  #byMessage: ReadonlyMap<string, CountedMessage> = new Map();
  /** A copy of it that this log may change; null until then. */
  #own: Map<string, CountedMessage> | null = null;

  copy(): MessageLog {
    const copy = new MessageLog();
    copy.#byMessage = this.#byMessage;
    // From now on it is shared, so neither may change it any more.
    this.#own = null;
    return copy;
  }

  /** One that is there already keeps what it was said after; what it used up is what was written last. */
  put(spoken: CountedMessage): void {
    const all = this.#change();
    const { tokens, weight, usd } = spoken;
    const known = all.get(spoken.message);
    all.set(
      spoken.message,
      known === undefined ? spoken : { ...known, tokens, weight, ...(usd !== undefined && { usd }) },
    );
    if (all.size > SPOKEN_MAX) all.delete(all.keys().next().value ?? '');
  }

  /** Oldest first. */
  get all(): readonly CountedMessage[] {
    return [...this.#byMessage.values()];
  }

  /** Without those that were counted, but for the last of them. */
  after(counted: Counted): MessageLog {
    const { all } = this;
    const at = all.findLastIndex(({ message }) => message === counted.message);
    const isOld = ({ atMs }: CountedMessage): boolean => atMs !== null && atMs < counted.atMs;
    const last = at >= 0 ? at : all.findLastIndex(isOld);
    const from = last + 1 - COUNTED_MAX;
    // Not for every single one: a copy costs as much as what is kept.
    if (from < COUNTED_MAX) return this;
    const copy = new MessageLog();
    // Where the count is not found the time decides, message by message.
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
