import type { Counted } from '../../core/usage.ts';
import { MessageLog } from '../seam/message-log.ts';
import type { CountedMessage } from '../seam/usage.ts';
import type { Entry } from './transcript-entry.ts';

/**
 * The messages of a transcript, each once: a message has several records, and the last one has its token count.
 * Includes the messages of sub-agents that are in the same file.
 */
export class MessagesSoFar {
  #log = new MessageLog();
  #entries = 0;
  #prompt = 0;
  #usd = 0;
  #usdBefore = 0;

  copy(): MessagesSoFar {
    return this.#with(this.#log.copy());
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
    const { message, model, tokens, byKind, weight, atMs } = entry;
    const said = { message: message ?? id, model, tokens, byKind, weight, atMs };
    this.#log.put({ ...said, prompt: this.#prompt, usdBefore: this.#usdBefore });
  }

  /** Oldest first. */
  get all(): readonly CountedMessage[] {
    return this.#log.all;
  }

  /** Drops messages that were counted, except for the last of them. */
  after(counted: Counted): MessagesSoFar {
    const log = this.#log.after(counted);
    return log === this.#log ? this : this.#with(log);
  }

  #with(log: MessageLog): MessagesSoFar {
    const copy = new MessagesSoFar();
    copy.#log = log;
    copy.#entries = this.#entries;
    copy.#prompt = this.#prompt;
    copy.#usd = this.#usd;
    copy.#usdBefore = this.#usdBefore;
    return copy;
  }
}
