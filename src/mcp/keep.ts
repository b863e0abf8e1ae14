import type { SessionView } from '../api/shapes.ts';
import type { Session } from '../client/index.ts';
import { type Cut, DATA_CHARS_MAX, lastOf } from './data.ts';

/** Collects what a session prints; of a long output only the end. */
export class Keep {
  #text = '';
  #leftOutChars = 0;
  /** Freed at the cap before we could read it. */
  droppedBytes = 0;
  /** Offset to read from next. */
  next = 0;
  /** How it ended, once it has. */
  ended: SessionView | null = null;

  /** Follows it to its end. If this follower leaves, the session moves to the background. */
  async follow(session: Session, signal: AbortSignal): Promise<void> {
    for await (const line of session.follow({ owner: true }, signal)) {
      this.droppedBytes += line.droppedBytes ?? 0;
      this.next = line.next ?? this.next;
      this.#add(line.text ?? '');
      if (line.session !== undefined) this.ended = line.session;
    }
  }

  /** What was printed, or its end. */
  cut(charsMax = DATA_CHARS_MAX): Cut {
    const { text, leftOutChars } = lastOf(this.#text.trimEnd(), charsMax);
    return { text, leftOutChars: leftOutChars + this.#leftOutChars };
  }

  // Keeps twice as much as is shown, so that it is not cut again with every line.
  #add(piece: string): void {
    this.#text += piece;
    if (this.#text.length < 4 * DATA_CHARS_MAX) return;
    const { text, leftOutChars } = lastOf(this.#text, 2 * DATA_CHARS_MAX);
    this.#text = text;
    this.#leftOutChars += leftOutChars;
  }
}
