import type { Piece } from '../agent/seam/piece.ts';
import type { SessionId } from '../core/session.ts';

/** A text that an agent is writing, or wrote last. */
export interface LiveText {
  /** Counts the texts of this session since the daemon began to read them. */
  readonly number: number;
  readonly of: string | null;
  readonly text: string;
}

/** A longer text is shown when it is recorded. */
const TEXT_CHARS_MAX = 256 * 1024;
/** Older texts are in the record by now. */
const TEXTS_MAX = 8;

/**
 * What agents are writing now, for those who watch. It is in memory only: what is lost with the daemon is in the
 * agent's record a moment later.
 */
export class LiveTexts {
  readonly #texts = new Map<SessionId, readonly LiveText[]>();
  readonly #watching = new Map<SessionId, Set<() => void>>();

  /** Adds a piece that an agent has printed. */
  add(session: SessionId, piece: Piece): void {
    const texts = this.#texts.get(session) ?? [];
    const last = texts.at(-1);
    const isSame = last !== undefined && (piece.of === null || piece.of === last.of);
    const known = isSame ? last : { number: (last?.number ?? 0) + 1, of: piece.of, text: '' };
    const text = known.text.length < TEXT_CHARS_MAX ? known.text + piece.text : known.text;
    // A text without a word yet is replaced by the next one.
    const before = isSame || last?.text === '' ? texts.slice(0, -1) : texts;
    this.#texts.set(session, [...before, { ...known, text }].slice(-TEXTS_MAX));
    if (piece.text !== '') for (const wake of this.#watching.get(session) ?? []) wake();
  }

  /** The last texts of a session, oldest first. */
  of(session: SessionId): readonly LiveText[] {
    return this.#texts.get(session) ?? [];
  }

  /** Calls back for every piece until the returned function is called. */
  watch(session: SessionId, wake: () => void): () => void {
    const watching = this.#watching.get(session) ?? new Set();
    this.#watching.set(session, watching.add(wake));
    return () => {
      watching.delete(wake);
      if (watching.size === 0) this.#watching.delete(session);
    };
  }

  /** Its run is over. */
  forget(session: SessionId): void {
    this.#texts.delete(session);
  }
}
