import type { Counted } from '../../core/usage.ts';
import type { Spoken } from '../seam/usage.ts';
import type { Entry } from './transcript-entry.ts';

/** Of messages that were counted so many are kept: one of them may not be written to its end yet. */
const COUNTED_MAX = 64;
/** And so many in all, should nobody count. */
const SPOKEN_MAX = 50_000;

/**
 * The messages of a transcript, each once: one is spread over several records, and the last of them has its tokens.
 * Those of sub-agents too, where they are in the same file.
 */
export class SpokenSoFar {
  /** Shared by copies: never changed, only replaced. */
  #byMessage: ReadonlyMap<string, Spoken> = new Map();
  /** The same, once it is ours to change. */
  #own: Map<string, Spoken> | null = null;
  #entries = 0;
  #prompt = 0;
  #usd = 0;
  #usdBefore = 0;

  copy(): SpokenSoFar {
    const copy = new SpokenSoFar();
    copy.#byMessage = this.#byMessage;
    copy.#entries = this.#entries;
    copy.#prompt = this.#prompt;
    copy.#usd = this.#usd;
    copy.#usdBefore = this.#usdBefore;
    return copy;
  }

  add(entry: Entry): void {
    const id = String(this.#entries);
    this.#entries += 1;
    if (entry.is === 'noise') this.#usd = entry.usd ?? this.#usd;
    if (entry.is === 'prompt' && entry.how === 'typed' && entry.sidechain === null) {
      this.#prompt += 1;
      this.#usdBefore = this.#usd;
    }
    if (entry.is !== 'reply' || entry.tokens === 0) return;
    const { message, model, tokens, weight, atMs } = entry;
    const own = { message: message ?? id, model, atMs, prompt: this.#prompt, usdBefore: this.#usdBefore };
    const all = this.#change();
    all.set(own.message, { ...(all.get(own.message) ?? own), tokens, weight });
    if (all.size > SPOKEN_MAX) all.delete(all.keys().next().value ?? '');
  }

  #change(): Map<string, Spoken> {
    this.#own ??= new Map(this.#byMessage);
    this.#byMessage = this.#own;
    return this.#own;
  }

  /** Oldest first. */
  get all(): readonly Spoken[] {
    return [...this.#byMessage.values()];
  }

  /** Without those that were counted, but for the last of them. */
  after(counted: Counted): SpokenSoFar {
    const { all } = this;
    const at = all.findLastIndex(({ message }) => message === counted.message);
    const isOld = ({ atMs }: Spoken): boolean => atMs !== null && atMs < counted.atMs;
    const last = at >= 0 ? at : all.findLastIndex(isOld);
    const from = last + 1 - COUNTED_MAX;
    // Not for every single one: a copy costs as much as what is kept.
    if (from < COUNTED_MAX) return this;
    const copy = this.copy();
    // Where the count is not found the time decides, message by message.
    copy.#byMessage = new Map(
      all.filter((one, i) => i >= from || (at < 0 && !isOld(one))).map((one) => [one.message, one]),
    );
    return copy;
  }
}
