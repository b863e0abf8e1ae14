import type { Agent } from '../../agent/seam/agent.ts';
import { isSameText } from '../../agent/seam/record.ts';
import type { Step } from '../../agent/seam/turn.ts';
import type { CallOutput } from '../../api/contract.ts';
import type { Event } from '../../core/event.ts';
import { unmapped } from '../../core/rules/action.ts';
import { isContinuation } from '../../core/say.ts';
import type { AgentTurn } from '../../supervisor/all-turns.ts';
import { withoutHandover } from './without-handover.ts';

type Line = CallOutput<'session.turns'>;
type Agents = Readonly<Record<string, Pick<Agent, 'name' | 'record' | 'actions'>>>;

/** Compares a conversation with what was sent of it before. */
export class TurnSteps {
  readonly #agents: Agents;
  readonly #from: number;
  /** For each turn, its steps as they were sent. */
  readonly #sent = new Map<number, string[]>();
  /** The prompts whose turn was found. */
  readonly #found = new Set<string>();

  constructor(agents: Agents, from: number) {
    this.#agents = agents;
    this.#from = from;
  }

  /** The lines about what is new or has changed. */
  changes(turns: readonly AgentTurn[], events: () => readonly Event[]): Line[] {
    return turns.flatMap((turn, i) => [...this.#beginning(i + 1, turn, events), ...this.#steps(i + 1, turn)]);
  }

  #beginning(number: number, turn: AgentTurn, events: () => readonly Event[]): Line[] {
    if (this.#sent.has(number)) return [];
    this.#sent.set(number, []);
    const text = withoutHandover(turn.prompt);
    const prompt = this.#promptOf(turn, text, events());
    if (prompt !== null) this.#found.add(prompt);
    // The turn that another agent began may be finished by this one.
    const isTakenOver = text !== turn.prompt && prompt === null;
    return number < this.#from ? [] : [{ turn: number, text, prompt, continued: isTakenOver || isContinuation(text) }];
  }

  /** The oldest prompt with this text that has no turn yet. */
  #promptOf(turn: AgentTurn, text: string, events: readonly Event[]): string | null {
    const record = this.#agentOf(turn)?.record;
    if (record === undefined) return null;
    const same = events.flatMap(textsOf).filter((sent) => isSameText(record, sent.text, text));
    return same.find(({ prompt }) => !this.#found.has(prompt))?.prompt ?? null;
  }

  #steps(number: number, turn: AgentTurn): Line[] {
    const sent = this.#sent.get(number) ?? [];
    const steps = number < this.#from ? [] : ((turn.data.steps ?? []) as readonly Step[]);
    return steps.flatMap((step, index) => {
      const text = JSON.stringify(step);
      if (sent[index] === text) return [];
      sent[index] = text;
      return [{ turn: number, index, step: this.#withActions(turn, step) }];
    });
  }

  #withActions(turn: AgentTurn, step: Step): Record<string, unknown> {
    if (step.is !== 'call') return { ...step };
    const { actions = unmapped } = this.#agentOf(turn) ?? {};
    return { ...step, actions: actions(step.name, step.input) };
  }

  #agentOf({ agent }: AgentTurn) {
    return Object.values(this.#agents).find(({ name }) => name === agent);
  }
}

/** The texts that were sent for prompts: as they were given, or with something before or filled in. */
function textsOf({ body }: Event): { readonly prompt: string; readonly text: string }[] {
  if (body.type === 'prompt.queued') return [{ prompt: body.prompt, text: body.text }];
  if (body.type === 'session.followed') return [...body.texts];
  const isWhole = body.type === 'update.delivered' && body.text !== undefined;
  return isWhole ? [{ prompt: body.prompt, text: body.text ?? '' }] : [];
}
