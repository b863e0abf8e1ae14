// The files of staged updates in the fake world.
import type { InTurnUpdateSnapshot } from '../../src/core/in-turn-update.ts';
import type { Session } from '../../src/core/session.ts';
import type { Conversation } from './conversation.ts';

interface Staged {
  readonly id: string;
  readonly text: string;
  is: 'out' | 'taken' | 'back';
  changedAtMs: number;
}

export class StagedUpdates {
  readonly #staged = new Map<number, Staged>();

  stage(run: number, id: string, text: string, nowMs: number): void {
    this.#staged.set(run, { id, text, is: 'out', changedAtMs: nowMs });
  }

  /** Either the hook delivers the staged updates, or the daemon withdraws them. Null: the other one was first. */
  take(run: number, by: 'taken' | 'back', nowMs: number): Staged | null {
    const staged = this.#staged.get(run);
    if (staged?.is !== 'out') return null;
    return Object.assign(staged, { is: by, changedAtMs: nowMs });
  }

  snapshot(
    { updates: { inTurn: inTurnUpdate } }: Session,
    conversation: Conversation,
    nowMs: number,
    lagMs: number,
  ): { inTurnUpdate?: InTurnUpdateSnapshot } {
    if (inTurnUpdate === null) return {};
    if (conversation.hasContext(inTurnUpdate.id, nowMs, lagMs)) return { inTurnUpdate: 'told' };
    const staged = this.#staged.get(inTurnUpdate.run);
    return { inTurnUpdate: staged?.id === inTurnUpdate.id ? staged.is : 'none' };
  }

  /** A power cut loses what was not synced. */
  reboot(nowMs: number, unsyncedMs: number): void {
    for (const [run, { changedAtMs }] of this.#staged) if (nowMs - changedAtMs < unsyncedMs) this.#staged.delete(run);
  }
}

/** The ledger entries of the updates in a text. */
export function updateEntries(text: string): string[] {
  return [...text.matchAll(/^- kid (\d+) ended$/gm)].map(([, position]) => `update ${position}`);
}
