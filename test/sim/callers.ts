// The inputs of callers, which are resubmitted until they are durable, and the actions of a person.
import type { Input, InputId } from '../../src/core/event.ts';
import type { PersonAction, Script, TimedInput, Trigger } from './scripts.ts';

export class Callers {
  readonly #counts = new Map<string, number>();
  readonly #inputs: { readonly id: InputId; readonly input: Input; atMs: number; readonly timed: TimedInput }[];
  readonly #personActions: readonly PersonAction[];

  constructor(script: Script) {
    this.#personActions = script.personActions ?? [];
    this.#inputs = (script.inputs ?? []).map((timed, i) => ({
      // A prompt has one input id, so a script can submit it at two moments.
      id: ('prompt' in timed.input ? `${timed.input.type} ${timed.input.prompt}` : `input-${i}`) as InputId,
      input: timed.input,
      atMs: 'atMs' in timed ? timed.atMs : Number.POSITIVE_INFINITY,
      timed,
    }));
  }

  /** Schedules the inputs that this event triggers, and returns the actions of a person that it triggers. */
  notice(type: string, nowMs: number): readonly PersonAction[] {
    const count = (this.#counts.get(type) ?? 0) + 1;
    this.#counts.set(type, count);
    const isNow = ({ after, nth = 1 }: Trigger): boolean => after === type && nth === count;
    for (const waiting of this.#inputs) {
      if ('after' in waiting.timed && isNow(waiting.timed)) waiting.atMs = nowMs + (waiting.timed.ms ?? 0);
    }
    return this.#personActions.filter(isNow);
  }

  due(nowMs: number): readonly { readonly id: InputId; readonly input: Input }[] {
    return this.#inputs.filter(({ atMs }) => atMs <= nowMs);
  }

  dueMs(nowMs: number): number {
    return Math.min(...this.#inputs.map(({ atMs }) => atMs).filter((atMs) => atMs > nowMs));
  }
}
