import type { LogCall, LogLine } from '../../api/logs-shape.ts';
import type { CallStep } from '../../api/step.ts';
import type { Fact } from '../../core/fact.ts';

type Called = Extract<Fact, { type: 'tool.called' }>;
type Ended = Extract<Fact, { type: 'tool.ended' }>;

interface Known {
  called?: { readonly fact: Called; readonly atMs: number };
  ended?: { readonly fact: Ended; readonly atMs: number };
  step?: CallStep;
  turn: number;
  sent: string;
}

/** An older call does not change any more. */
const KNOWN_MAX = 5_000;

/** What the journal and the agent's record say about each call, put together. */
export class CallLines {
  readonly #known = new Map<string, Known>();
  readonly #actions: (name: string, input: unknown) => LogCall['actions'];

  constructor(actions: (name: string, input: unknown) => LogCall['actions']) {
    this.#actions = actions;
  }

  /** Notes what the journal says about a call. */
  hear(fact: Fact, atMs: number): void {
    if (fact.type !== 'tool.called' && fact.type !== 'tool.ended') return;
    if (fact.call === null) return;
    const known = this.#of(fact.call);
    if (fact.type === 'tool.called') known.called ??= { fact, atMs };
    else known.ended ??= { fact, atMs };
  }

  /** Notes the call in the agent's record, and returns its line if that is new. */
  recorded(step: CallStep, turn: number, atMs: number | null): LogLine[] {
    this.#of(step.id).step = step;
    return this.told(step.id, turn, atMs);
  }

  /** Was this call told? */
  isTold(call: string): boolean {
    return (this.#known.get(call)?.sent ?? '') !== '';
  }

  /** Its line, if it is new or has changed. */
  told(call: string, turn: number, atMs: number | null): LogLine[] {
    const known = this.#of(call);
    if (known.sent === '') known.turn = turn;
    const line = this.#line(call, known, atMs);
    const { atMs: _, ...facts } = line;
    const text = JSON.stringify(facts);
    if (text === known.sent) return [];
    known.sent = text;
    return [line];
  }

  #line(id: string, { called, ended, step, turn }: Known, atMs: number | null): LogLine {
    const name = step?.name ?? called?.fact.tool ?? ended?.fact.tool ?? 'unknown';
    const input = step?.input ?? inputOf(called?.fact);
    const result = step?.result ?? null;
    const error = ended?.fact.error ?? null;
    const call = {
      ...{ id, name, input, result, error },
      actions: (step?.actions as LogCall['actions'] | undefined) ?? this.#actions(name, input),
      ended: ended !== undefined || result !== null,
      tookMs: ended?.fact.tookMs ?? (called && ended ? ended.atMs - called.atMs : null),
      subagent: called?.fact.subagent ?? null,
    };
    return { id: `call ${id}`, is: 'call', atMs: called?.atMs ?? atMs, turn, text: name, call };
  }

  #of(call: string): Known {
    const known = this.#known.get(call) ?? { turn: 0, sent: '' };
    if (!this.#known.has(call)) this.#known.set(call, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }
}

/** Of a call that is in the journal only, the input may be cut. */
function inputOf(fact: Called | undefined): unknown {
  if (fact === undefined) return null;
  try {
    return JSON.parse(fact.input);
  } catch {
    return fact.input;
  }
}
