// The file of staged updates, and its readers, in the fake world.
import type { InTurnUpdateSnapshot } from '../../src/core/in-turn-update.ts';
import type { Session } from '../../src/core/session.ts';
import type { Conversation } from './conversation.ts';

interface Laid {
  readonly id: string;
  readonly text: string;
  is: 'out' | 'taken' | 'back';
  changedAtMs: number;
}

export class Offers {
  readonly #laid = new Map<number, Laid>();

  lay(run: number, id: string, text: string, nowMs: number): void {
    this.#laid.set(run, { id, text, is: 'out', changedAtMs: nowMs });
  }

  /** One of the two has it. */
  take(run: number, by: 'taken' | 'back', nowMs: number): Laid | null {
    const laid = this.#laid.get(run);
    if (laid?.is !== 'out') return null;
    return Object.assign(laid, { is: by, changedAtMs: nowMs });
  }

  snapshot(
    { updates: { inTurn: inTurnUpdate } }: Session,
    conversation: Conversation,
    nowMs: number,
    lagMs: number,
  ): { inTurnUpdate?: InTurnUpdateSnapshot } {
    if (inTurnUpdate === null) return {};
    if (conversation.isTold(inTurnUpdate.id, nowMs, lagMs)) return { inTurnUpdate: 'told' };
    const laid = this.#laid.get(inTurnUpdate.run);
    return { inTurnUpdate: laid?.id === inTurnUpdate.id ? laid.is : 'none' };
  }

  /** What was not on the disk yet is gone with the power. */
  reboot(nowMs: number, unsyncedMs: number): void {
    for (const [run, { changedAtMs }] of this.#laid) if (nowMs - changedAtMs < unsyncedMs) this.#laid.delete(run);
  }
}

/** The updates in a text, as the ledger records them. */
export function newsIn(text: string): string[] {
  return [...text.matchAll(/^- kid (\d+) ended$/gm)].map(([, position]) => `news ${position}`);
}
