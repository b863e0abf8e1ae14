// The agent's own file in the fake world. It survives everything, unless it is deleted.
import type { Trouble } from '../../src/core/session.ts';
import type { TranscriptSnapshot } from '../../src/core/snapshot.ts';

type Entry =
  | { readonly is: 'heard'; readonly token: string | null; readonly atMs: number; withdrawn?: boolean }
  | {
      readonly is: 'closed' | 'failed' | 'interrupted' | 'deferred';
      readonly text: string;
      readonly atMs: number;
      readonly trouble: Trouble | null;
    };

/** A call that was put off, and what its turn is about. */
export interface PutOff {
  readonly call: string;
  readonly tokens: (string | null)[];
}

export class Conversation {
  #entries: Entry[] = [];
  /** The contexts that hooks delivered to the model, by id. */
  readonly #contexts = new Map<string, number>();
  /** The call that the agent asks about first when it is resumed. */
  deferred: PutOff | null = null;
  /** What there is to see since the last change. */
  #seen: TranscriptSnapshot | null = null;

  /** It was deleted, and no resume has allowed a new one. */
  isLost = false;

  lose(): void {
    this.isLost = true;
    this.#entries = [];
    this.#seen = null;
  }

  hear(token: string | null, atMs: number): void {
    this.#entries.push({ is: 'heard', token, atMs });
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

  /** A hook delivered a context to the model. */
  tell(mark: string, atMs: number): void {
    this.#contexts.set(mark, atMs);
  }

  isTold(mark: string, nowMs: number, lagMs: number): boolean {
    const atMs = this.#contexts.get(mark);
    return atMs !== undefined && (atMs + lagMs <= nowMs || atMs === 0);
  }

  /** The turn stops here, until the call is decided. */
  defer(deferred: PutOff, atMs: number): void {
    this.deferred = deferred;
    this.end('deferred', '', atMs);
  }

  /** The deferred turn continues. */
  goOn(): void {
    this.deferred = null;
    this.#entries = this.#entries.filter(({ is }) => is !== 'deferred');
    this.#seen = null;
  }

  /** The prompts that the next reply answers: all that were received since the last. */
  open(): string[] {
    const last = this.#entries.findLastIndex(({ is }) => is !== 'heard' && is !== 'deferred');
    const rest = this.#entries.slice(last + 1);
    return rest.flatMap((entry) => (entry.is === 'heard' && entry.token && !entry.withdrawn ? [entry.token] : []));
  }

  /** The person, or we, took it back before the agent said anything. Nothing is written down of that. */
  withdraw(): void {
    for (const entry of this.#entries) if (entry.is === 'heard') entry.withdrawn = true;
    this.#seen = null;
  }

  /** The power went, or the writer did: what is there is there. */
  settle(): void {
    this.#entries = this.#entries.map((entry) => ({ ...entry, atMs: 0 }));
    for (const mark of this.#contexts.keys()) this.#contexts.set(mark, 0);
    this.#seen = null;
  }

  /** What a reader sees who comes `lagMs` behind the writer. */
  snapshot(nowMs: number, lagMs: number): TranscriptSnapshot {
    if (lagMs > 0) return this.#look(nowMs, lagMs);
    this.#seen ??= this.#look(nowMs, lagMs);
    return this.#seen;
  }

  #look(nowMs: number, lagMs: number): TranscriptSnapshot {
    const entries = this.#entries.filter(({ atMs }) => atMs + lagMs <= nowMs || atMs === 0);
    const heard = entries.flatMap((entry) => (entry.is === 'heard' && entry.token !== null ? [entry.token] : []));
    const last = entries.findLastIndex((entry) => entry.is === 'heard' && entry.token !== null);
    const end = entries.slice(last + 1).find((entry) => entry.is !== 'heard');
    const exists = entries.length > 0;
    if (last < 0) return { exists, ...(exists ? {} : { place: '/t' }), received: heard, turn: 'closed', reply: '' };
    if (end === undefined) return { exists, received: heard, turn: 'open', reply: '' };
    const trouble = end.trouble === null ? {} : { trouble: end.trouble };
    return { exists, received: heard, turn: end.is, reply: end.text, ...trouble };
  }
}
