/** Of sessions that are gone, nobody needs a draft: the oldest are forgotten. */
const DRAFTS_MAX = 100;

/** What was written and not sent, by session. It survives a reload and stays in this browser. */
export class Drafts {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly #prefix: string;
  readonly #list: string;

  /** `of`: what is kept, if it is something else than prompts. */
  constructor(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, of = 'draft') {
    this.#storage = storage;
    this.#prefix = `outlast.${of}.`;
    this.#list = `outlast.${of}s`;
  }

  read(session: string): string {
    return this.#storage.getItem(this.#prefix + session) ?? '';
  }

  write(session: string, text: string): void {
    const others = this.#sessions().filter((each) => each !== session);
    for (const old of others.splice(0, Math.max(others.length - DRAFTS_MAX + 1, 0)))
      this.#storage.removeItem(this.#prefix + old);
    if (text === '') this.#storage.removeItem(this.#prefix + session);
    else this.#set(this.#prefix + session, text);
    this.#set(this.#list, JSON.stringify(text === '' ? others : [...others, session]));
  }

  #sessions(): string[] {
    try {
      const found: unknown = JSON.parse(this.#storage.getItem(this.#list) ?? '[]');
      return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : [];
    } catch {
      return [];
    }
  }

  #set(key: string, text: string): void {
    try {
      this.#storage.setItem(key, text);
    } catch {
      // The storage is full: the draft stays on the screen.
    }
  }
}
