import type { Agent } from '../agent/seam/agent.ts';
import type { TurnRead } from '../agent/seam/record.ts';
import type { EarlierConversation, Session } from '../core/session.ts';
import { filesOf, keptIn } from './kept.ts';
import { tailOf } from './source-tail.ts';
import { TranscriptReader } from './transcript-reader.ts';

/** A turn of a session, and the agent that took it. */
export interface AgentTurn extends TurnRead {
  readonly agent: string;
}

/**
 * All turns of a session in order, also those of the agents that it had before. A conversation that was left and
 * resumed later has turns before and after those of the others.
 */
export async function allTurns(
  state: string,
  session: Session,
  agents: Readonly<Record<string, Agent>>,
  bytesMax: number,
): Promise<readonly AgentTurn[]> {
  return new SessionTurns(state, agents).read(session, bytesMax);
}

type Tail = ReturnType<typeof tailOf<unknown, readonly TurnRead[]>>;

/** Reads the turns of one session on, wherever its agents record them by now. */
export class SessionTurns {
  readonly #state: string;
  readonly #agents: Readonly<Record<string, Agent>>;
  readonly #tails = new Map<string, Tail>();
  #views: readonly unknown[] = [];
  #all: readonly AgentTurn[] = [];

  constructor(state: string, agents: Readonly<Record<string, Agent>>) {
    this.#state = state;
    this.#agents = agents;
  }

  /** All turns in order; the same list again if there is nothing new. */
  async read(session: Session, bytesMax: number): Promise<readonly AgentTurn[]> {
    const parts = [...earlierOf(session), { at: session, upTo: null }];
    const views: (readonly TurnRead[])[] = [];
    for (const { at } of parts) views.push(await this.#viewOf(at, bytesMax));
    if (views.length === this.#views.length && views.every((view, i) => view === this.#views[i])) return this.#all;
    const seen = new Map<string, number>();
    this.#views = views;
    this.#all = parts.flatMap(({ at, upTo }, i) => {
      const { agent } = at.spec;
      const place = `${agent} ${at.conversation.id}`;
      const turns = views[i] ?? [];
      const from = seen.get(place) ?? 0;
      seen.set(place, upTo ?? turns.length);
      return turns.slice(from, upTo ?? turns.length).map((turn) => ({ ...turn, agent }));
    });
    return this.#all;
  }

  /** The files that change when its agent records more; none: not known. */
  files(session: Session): readonly string[] {
    const agent = this.#agentOf(session);
    return agent === undefined ? [] : filesOf(new TranscriptReader(this.#state).sources(session, agent));
  }

  async #viewOf(session: Session, bytesMax: number): Promise<readonly TurnRead[]> {
    const agent = this.#agentOf(session);
    const kept = agent === undefined ? null : keptIn(new TranscriptReader(this.#state).sources(session, agent), agent);
    if (kept === null) return NO_TURNS;
    const made = tailOf(kept.main, kept.record.turns);
    const key = `${session.spec.agent} ${session.conversation.id} ${made.path}`;
    const tail = this.#tails.get(key) ?? made;
    this.#tails.set(key, tail);
    await tail.readOn(bytesMax);
    return tail.view;
  }

  #agentOf({ spec }: Session): Agent | undefined {
    return Object.values(this.#agents).find((each) => each.name === spec.agent);
  }
}

const NO_TURNS: readonly TurnRead[] = [];

function earlierOf(session: Session): { readonly at: Session; readonly upTo: number }[] {
  return (session.conversation.earlier ?? []).map((each) => ({ at: asOf(session, each), upTo: each.turns }));
}

/** The session as it was with an earlier agent. */
function asOf(session: Session, { agent, drive, spec, id, transcript }: EarlierConversation): Session {
  return {
    ...session,
    spec: { ...session.spec, agent, drive, ...(spec && { conversation: spec }) },
    conversation: { ...session.conversation, id, transcript },
  };
}

/** The turns in the end of a transcript, for people. */
export async function turnsOf(
  state: string,
  session: Session,
  agent: Agent,
  bytesMax: number,
): Promise<readonly TurnRead[]> {
  const kept = keptIn(new TranscriptReader(state).sources(session, agent), agent);
  if (kept === null) return [];
  const tail = tailOf(kept.main, kept.record.turns);
  await tail.readOn(bytesMax);
  return tail.view;
}
