// Remedies of a conversation that the API refuses: it is compacted, or continues as a copy.
import type { Effect, Say } from '../../src/core/event.ts';
import type { Session } from '../../src/core/session.ts';
import { GONE, type Process } from './process.ts';
import type { World } from './world.ts';

/** The command that makes the fake agent compact its conversation. */
export const COMPACT = '/compact';
const COMPACT_MS = 400;

/** A conversation that the API refuses, whoever sends it. */
export class Poison {
  readonly #world: World;
  #conversation: string | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** A turn in this process failed for it. */
  meet({ conversation }: Process): void {
    this.#conversation = conversation;
  }

  /** Somebody sends it. Only a person may want that. */
  taste({ conversation }: Process): void {
    const isTold = (this.#world.script.wishes ?? []).some(({ input }) => input.type === 'resume');
    if (conversation === this.#conversation && !isTold)
      this.#world.wrongs.push('sent to a conversation that is poisoned');
  }
}

/** The conversation of a process: a copy has an id of its own. */
export function conversationOf(
  { conversation: { id: conversation } }: Session,
  { how, run }: Extract<Effect, { kind: 'open' }>,
): string {
  if (how === 'fork') return `c${run}`;
  return how === 'launch' ? 'c1' : (conversation ?? 'c1');
}

/** Plays the command on the screen: it is busy for a while, and no hook tells of it. */
export function compactLive(world: World, run: number, p: Process): void {
  const turn = { lot: 'answer', tokens: [], turnId: 'compacting', hasReported: true, allowed: false } as const;
  p.turn = { ...turn, tokens: [] };
  world.later(COMPACT_MS, run, (now) => {
    if (now.turn?.turnId === turn.turnId) now.turn = null;
  });
}

/** Plays it as a process of one turn: its output says that it is over. */
export function compactTurn(world: World, run: number, say: Say): void {
  world.later(COMPACT_MS, run, (p) => {
    world.conversation.hear(say.token, world.nowMs);
    const lot = world.lots.draw();
    const trouble = typeof lot === 'object' ? world.lots.troubleOf(lot, world.nowMs) : null;
    if (trouble !== null) world.lots.spend();
    world.conversation.end(trouble === null ? 'closed' : 'failed', trouble?.kind ?? '', world.nowMs, trouble);
    Object.assign(p, GONE, { status: trouble === null ? 0 : 1 });
  });
}
