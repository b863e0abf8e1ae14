import { isSameText } from '../../agent/seam/record.ts';
import type { Step } from '../../agent/seam/turn.ts';
import { isContinuation } from '../../core/say.ts';
import type { AgentTurn } from '../../supervisor/all-turns.ts';
import { withoutHandover } from '../views/without-handover.ts';
import type { LogAgents } from './log-agents.ts';

/** A step in the record: the index of its turn, and its own in that turn. */
export interface Place {
  readonly turn: number;
  readonly step: number;
}

/** Does one place come before another? */
export function isBefore(one: Place, other: Place): boolean {
  return one.turn < other.turn || (one.turn === other.turn && one.step < other.step);
}

/** A reply may be the last of several texts, or all of them. */
export function isEndOf(text: string, reply: string): boolean {
  return text.trim() === reply.trim() || reply.trim().endsWith(text.trim()) || text.trim().endsWith(reply.trim());
}

/** What the agents of a session have recorded, as it is known by now. */
export class Recorded {
  readonly #agents: LogAgents;
  turns: readonly AgentTurn[] = [];

  constructor(agents: LogAgents) {
    this.#agents = agents;
  }

  get end(): Place {
    return { turn: this.turns.length, step: 0 };
  }

  stepsOf(turn: number): readonly Step[] {
    return (this.turns[turn]?.data.steps ?? []) as readonly Step[];
  }

  /** The texts of the agent in a turn. */
  textsOf(turn: number): string[] {
    return this.stepsOf(turn).flatMap((step) => (step.is === 'text' ? [step.text.trim()] : []));
  }

  /** The last texts of the agent. */
  lastTexts(): string[] {
    const { length } = this.turns;
    return [length - 2, length - 1].flatMap((turn) => this.textsOf(turn));
  }

  /** Where a call is recorded, from a turn on. */
  placeOf(call: string, from: number): Place | null {
    for (let turn = this.turns.length - 1; turn >= Math.max(0, from); turn--) {
      const step = this.stepsOf(turn).findIndex((each) => each.is === 'call' && each.id === call);
      if (step >= 0) return { turn, step };
    }
    return null;
  }

  /** The first turn from one on that began with one of these texts. */
  turnWith(texts: readonly string[], from: number, isTaken: (turn: number) => boolean): number | null {
    for (let turn = from; turn < this.turns.length; turn++)
      if (!isTaken(turn) && texts.some((text) => this.beganWith(turn, text))) return turn;
    return null;
  }

  /** The first turn from one on that continues an interrupted one. */
  continuation(from: number, isTaken: (turn: number) => boolean): number | null {
    for (let turn = from; turn < this.turns.length; turn++)
      if (!isTaken(turn) && isContinuation(this.turns[turn]?.prompt ?? '')) return turn;
    return null;
  }

  /** Did a turn begin with this text? */
  beganWith(turn: number, text: string): boolean {
    const { prompt = '', agent = '' } = this.turns[turn] ?? {};
    const record = this.#agents.recordOf(agent);
    if (record === undefined || text === '') return false;
    return [prompt, withoutHandover(prompt)].some((each) => isSameText(record, text, each));
  }
}
