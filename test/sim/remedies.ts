// Remedies for a conversation that the API refuses: it is compacted, or continues as a copy.
import type { Effect, Say } from '../../src/core/event.ts';
import type { Session } from '../../src/core/session.ts';
import { GONE, type Process } from './process.ts';
import type { World } from './world.ts';

/** The command that makes the fake agent compact its conversation. */
export const COMPACT = '/compact';
const COMPACT_MS = 400;

/** Remembers the conversation that the API refuses. */
export class Poison {
  readonly #world: World;
  #conversation: string | null = null;

  constructor(world: World) {
    this.#world = world;
  }

  /** A turn in this process failed: its conversation is poisoned. */
  set({ conversation }: Process): void {
    this.#conversation = conversation;
  }

  /** A prompt is sent in this process: in a poisoned conversation that is wrong, unless a person resumed it. */
  check({ conversation }: Process): void {
    const isResumed = (this.#world.script.inputs ?? []).some(({ input }) => input.type === 'resume');
    if (conversation === this.#conversation && !isResumed)
      this.#world.violations.push('sent to a conversation that is poisoned');
  }
}

/** The id of the conversation of a process: a copy has a new one. */
export function conversationOf(
  { conversation: { id: conversation } }: Session,
  { how, run }: Extract<Effect, { kind: 'open' }>,
): string {
  if (how === 'fork') return `c${run}`;
  return how === 'launch' ? 'c1' : (conversation ?? 'c1');
}

/** Plays the command on the screen: the agent is busy for a while, and no hook reports it. */
export function compactLive(world: World, run: number, p: Process): void {
  const turn = { outcome: 'answer', tokens: [], turnId: 'compacting', hasReported: true, allowed: false } as const;
  p.turn = { ...turn, tokens: [] };
  world.later(COMPACT_MS, run, (now) => {
    if (now.turn?.turnId === turn.turnId) now.turn = null;
  });
}

/** Plays the command as a process for one turn: the transcript shows its end. */
export function compactTurn(world: World, run: number, say: Say): void {
  world.later(COMPACT_MS, run, (p) => {
    world.conversation.receive(say.token, world.nowMs);
    const outcome = world.turnOutcomes.current();
    const trouble = typeof outcome === 'object' ? world.turnOutcomes.troubleOf(outcome, world.nowMs) : null;
    if (trouble !== null) world.turnOutcomes.advance();
    world.conversation.end(trouble === null ? 'closed' : 'failed', trouble?.kind ?? '', world.nowMs, trouble);
    Object.assign(p, GONE, { status: trouble === null ? 0 : 1 });
  });
}
