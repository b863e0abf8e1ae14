// The agent's transcript in the fake world. It survives everything, unless it is deleted.
import type { Trouble } from '../../src/core/session.ts';
import type { TranscriptSnapshot } from '../../src/core/snapshot.ts';

type Entry =
  | { readonly is: 'received'; readonly token: string | null; readonly atMs: number; withdrawn?: boolean }
  | {
      readonly is: 'closed' | 'failed' | 'interrupted' | 'deferred';
      readonly text: string;
      readonly atMs: number;
      readonly trouble: Trouble | null;
    };

/** A deferred call, and the prompts of its turn. */
export interface DeferredCall {
  readonly call: string;
  readonly tokens: (string | null)[];
}

export class Conversation {
  #entries: Entry[] = [];
  /** When hooks delivered contexts to the model, by the id of the context. */
  readonly #contexts = new Map<string, number>();
  /** The call that the agent asks about first when it is resumed. */
  deferred: DeferredCall | null = null;
  /** The snapshot since the last change. */
  #seen: TranscriptSnapshot | null = null;

  /** The transcript was deleted, and no resume has allowed a new one. */
  isLost = false;

  lose(): void {
    this.isLost = true;
    this.#entries = [];
    this.#seen = null;
  }

  receive(token: string | null, atMs: number): void {
    this.#entries.push({ is: 'received', token, atMs });
    this.#seen = null;
  }

  end(
    is: 'closed' | 'failed' | 'interrupted' | 'deferred',
    text: string,
    atMs: number,
    trouble: Trouble | null = null,
  ): void {
    this.#entries.push({ is, text, atMs, trouble });
    this.#seen = null;
  }

  /** The agent died before it had written down what it received last. */
  unwrite(): void {
    this.#entries.pop();
    this.#seen = null;
  }

  /** A hook delivered a context to the model. */
  addContext(id: string, atMs: number): void {
    this.#contexts.set(id, atMs);
  }

  hasContext(id: string, nowMs: number, lagMs: number): boolean {
    const atMs = this.#contexts.get(id);
    return atMs !== undefined && (atMs + lagMs <= nowMs || atMs === 0);
  }

  /** The turn pauses until the call is decided. */
  defer(deferred: DeferredCall, atMs: number): void {
    this.deferred = deferred;
    this.end('deferred', '', atMs);
  }

  /** The deferred turn continues. */
  resume(): void {
    this.deferred = null;
    this.#entries = this.#entries.filter(({ is }) => is !== 'deferred');
    this.#seen = null;
  }

  /** The prompts that the next reply answers: all that were received since the last reply. */
  open(): string[] {
    const last = this.#entries.findLastIndex(({ is }) => is !== 'received' && is !== 'deferred');
    const rest = this.#entries.slice(last + 1);
    return rest.flatMap((entry) => (entry.is === 'received' && entry.token && !entry.withdrawn ? [entry.token] : []));
  }

  /** Escape withdrew the prompt before the first output. The transcript has no record of that. */
  withdraw(): void {
    for (const entry of this.#entries) if (entry.is === 'received') entry.withdrawn = true;
    this.#seen = null;
  }

  /** After a power cut there is no writer any more: everything that was written is visible. */
  settle(): void {
    this.#entries = this.#entries.map((entry) => ({ ...entry, atMs: 0 }));
    for (const id of this.#contexts.keys()) this.#contexts.set(id, 0);
    this.#seen = null;
  }

  /** What a reader sees that is `lagMs` behind the writer. */
  snapshot(nowMs: number, lagMs: number): TranscriptSnapshot {
    if (lagMs > 0) return this.#look(nowMs, lagMs);
    this.#seen ??= this.#look(nowMs, lagMs);
    return this.#seen;
  }

  #look(nowMs: number, lagMs: number): TranscriptSnapshot {
    const entries = this.#entries.filter(({ atMs }) => atMs + lagMs <= nowMs || atMs === 0);
    const received = entries.flatMap((entry) => (entry.is === 'received' && entry.token !== null ? [entry.token] : []));
    const last = entries.findLastIndex((entry) => entry.is === 'received' && entry.token !== null);
    const end = entries.slice(last + 1).find((entry) => entry.is !== 'received');
    const exists = entries.length > 0;
    if (last < 0) return { exists, ...(exists ? {} : { place: '/t' }), received, turn: 'closed', reply: '' };
    if (end === undefined) return { exists, received, turn: 'open', reply: '' };
    const trouble = end.trouble === null ? {} : { trouble: end.trouble };
    return { exists, received, turn: end.is, reply: end.text, ...trouble };
  }
}
