import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Entry } from '../protocol.ts';
import type { Places } from './places.ts';

/** What was said in a conversation. */
interface Said {
  readonly by: 'you' | 'echo';
  readonly text: string;
}

/** A conversation and its record on disk. */
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

  /** Begins a new conversation, under this id or a random one. */
  static begin(places: Places, id: string = randomUUID()): Conversation {
    const begun = new Conversation(places, id, 0);
    begun.write({ type: 'conversation', id, cwd: places.cwd, atMs: places.clock.wallMs() });
    return begun;
  }

  /** Continues a recorded conversation; null: there is none. */
  static resume(places: Places, id: string): Conversation | null {
    const path = places.transcript(id);
    if (!existsSync(path)) return null;
    const turns = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"type":"prompt"'));
    return new Conversation(places, id, turns.length);
  }

  /** What was said so far. */
  past(): Said[] {
    const lines = readFileSync(this.path, 'utf8').split('\n').filter(Boolean);
    return lines.flatMap((line): Said[] => {
      const entry = JSON.parse(line) as Entry;
      if (entry.type === 'prompt') return [{ by: 'you', text: entry.text }];
      return entry.type === 'end' ? [{ by: 'echo', text: entry.reply }] : [];
    });
  }

  write(entry: Entry): void {
    appendFileSync(this.path, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
  }

  /** Records that a prompt was received; returns the id of the turn that it begins or joins. */
  hear(prompt: string, text: string, running: string | null): string {
    this.#turns += 1;
    const turn = running ?? `${this.id.slice(0, 8)}-${this.#turns}`;
    appendFileSync(this.#places.heard, `${JSON.stringify({ prompt, text })}\n`);
    this.write({ type: 'prompt', prompt, turn, text, steered: running !== null, atMs: this.#places.clock.wallMs() });
    return turn;
  }
}
