import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Entry } from '../protocol.ts';
import type { Places } from './places.ts';

/** A conversation, as it is written down. */
export class Conversation {
  readonly id: string;
  readonly path: string;
  readonly #places: Places;
  #turns: number;

  private constructor(places: Places, id: string, turns: number) {
    this.id = id;
    this.path = places.transcript(id);
    this.#places = places;
    this.#turns = turns;
  }

  /** A new one, under this id or one of its own. */
  static begin(places: Places, id: string = randomUUID()): Conversation {
    const begun = new Conversation(places, id, 0);
    begun.write({ type: 'conversation', id, cwd: places.cwd, atMs: places.clock.wallMs() });
    return begun;
  }

  /** Goes on with one that is written down; null: there is none. */
  static resume(places: Places, id: string): Conversation | null {
    const path = places.transcript(id);
    if (!existsSync(path)) return null;
    const turns = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"type":"prompt"'));
    return new Conversation(places, id, turns.length);
  }

  write(entry: Entry): void {
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  /** Writes down that a prompt was heard; gives the name of the turn it begins, or joins. */
  hear(prompt: string, text: string, running: string | null): string {
    this.#turns += 1;
    const turn = running ?? `${this.id.slice(0, 8)}-${this.#turns}`;
    appendFileSync(this.#places.heard, `${JSON.stringify({ prompt, text })}\n`);
    this.write({ type: 'prompt', prompt, turn, text, steered: running !== null, atMs: this.#places.clock.wallMs() });
    return turn;
  }
}
