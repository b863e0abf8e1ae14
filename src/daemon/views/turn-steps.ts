import type { Agent } from '../../agent/seam/agent.ts';
import { isSameText, type TurnRead } from '../../agent/seam/record.ts';
import type { Step } from '../../agent/seam/turn.ts';
import type { CallOutput } from '../../api/contract.ts';
import type { Event } from '../../core/event.ts';
import { unmapped } from '../../core/rules/action.ts';
import { isContinuation } from '../../core/say.ts';

type Line = CallOutput<'session.turns'>;

/** Compares a conversation with what was sent of it before. */
export class TurnSteps {
  readonly #agent: Pick<Agent, 'record' | 'actions'>;
  readonly #from: number;
  /** For each turn, its steps as they were sent. */
  readonly #sent = new Map<number, string[]>();
  /** The prompts whose turn was found. */
  readonly #found = new Set<string>();

  constructor(agent: Pick<Agent, 'record' | 'actions'>, from: number) {
    this.#agent = agent;
    this.#from = from;
  }

  /** The lines about what is new or has changed. */
  changes(turns: readonly TurnRead[], events: () => readonly Event[]): Line[] {
    return turns.flatMap((turn, i) => [...this.#beginning(i + 1, turn, events), ...this.#steps(i + 1, turn)]);
  }

  #beginning(number: number, { prompt: text }: TurnRead, events: () => readonly Event[]): Line[] {
    if (this.#sent.has(number)) return [];
    this.#sent.set(number, []);
    const prompt = this.#promptOf(text, events());
    if (prompt !== null) this.#found.add(prompt);
    return number < this.#from ? [] : [{ turn: number, text, prompt, continued: isContinuation(text) }];
  }

  /** The oldest prompt with this text that has no turn yet. */
  #promptOf(text: string, events: readonly Event[]): string | null {
    const { record } = this.#agent;
    if (record === undefined) return null;
    const same = events.flatMap(textsOf).filter((sent) => isSameText(record, sent.text, text));
    return same.find(({ prompt }) => !this.#found.has(prompt))?.prompt ?? null;
  }

  #steps(number: number, { data }: TurnRead): Line[] {
    const sent = this.#sent.get(number) ?? [];
    const steps = number < this.#from ? [] : ((data.steps ?? []) as readonly Step[]);
    return steps.flatMap((step, index) => {
      const text = JSON.stringify(step);
      if (sent[index] === text) return [];
      sent[index] = text;
      return [{ turn: number, index, step: this.#withActions(step) }];
    });
  }

  #withActions(step: Step): Record<string, unknown> {
    if (step.is !== 'call') return { ...step };
    const { actions = unmapped } = this.#agent;
    return { ...step, actions: actions(step.name, step.input) };
  }
}

/** The texts that were sent for prompts: as they were given, or with something before or filled in. */
function textsOf({ body }: Event): { readonly prompt: string; readonly text: string }[] {
  if (body.type === 'prompt.queued') return [{ prompt: body.prompt, text: body.text }];
  if (body.type === 'session.followed') return [...body.texts];
  const isWhole = body.type === 'update.delivered' && body.text !== undefined;
  return isWhole ? [{ prompt: body.prompt, text: body.text ?? '' }] : [];
}
