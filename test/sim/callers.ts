// Callers, whose inputs are delivered until they are durable, and a person.
import type { Input, InputId } from '../../src/core/event.ts';
import type { Deed, Script, When, Wish } from './scripts.ts';

export class Callers {
  readonly #counts = new Map<string, number>();
  readonly #wishes: { readonly id: InputId; readonly input: Input; atMs: number; readonly wish: Wish }[];
  readonly #deeds: readonly Deed[];

  constructor(script: Script) {
    this.#deeds = script.deeds ?? [];
    this.#wishes = (script.wishes ?? []).map((wish, i) => ({
      // The same prompt is the same input, whoever sends it and when.
      id: ('prompt' in wish.input ? `${wish.input.type} ${wish.input.prompt}` : `wish-${i}`) as InputId,
      input: wish.input,
      atMs: 'atMs' in wish ? wish.atMs : Number.POSITIVE_INFINITY,
      wish,
    }));
  }

  /** An event happened: inputs that waited for it are due, and a person acts. */
  notice(type: string, nowMs: number): readonly Deed[] {
    const count = (this.#counts.get(type) ?? 0) + 1;
    this.#counts.set(type, count);
    const isNow = (when: When): boolean => when.after === type && (when.nth ?? 1) === count;
    for (const waiting of this.#wishes) {
      if ('after' in waiting.wish && isNow(waiting.wish)) waiting.atMs = nowMs + (waiting.wish.ms ?? 0);
    }
    return this.#deeds.filter(isNow);
  }

  due(nowMs: number): readonly { readonly id: InputId; readonly input: Input }[] {
    return this.#wishes.filter(({ atMs }) => atMs <= nowMs);
  }

  dueMs(nowMs: number): number {
    return Math.min(...this.#wishes.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs));
  }
}
