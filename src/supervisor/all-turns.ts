import type { Agent } from '../agent/seam/agent.ts';
import type { TurnRead } from '../agent/seam/record.ts';
import type { EarlierConversation, Session } from '../core/session.ts';
import { keptIn } from './kept.ts';
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
  const { earlier = [] } = session.conversation;
  const seen = new Map<string, number>();
  const all: AgentTurn[] = [];
  for (const part of [...earlier.map((each) => ({ at: asOf(session, each), upTo: each.turns })), { at: session }]) {
    const { agent: name } = part.at.spec;
    const agent = Object.values(agents).find((each) => each.name === name);
    const turns = agent === undefined ? [] : await turnsOf(state, part.at, agent, bytesMax);
    const place = `${name} ${part.at.conversation.id}`;
    const upTo = 'upTo' in part ? part.upTo : turns.length;
    all.push(...turns.slice(seen.get(place) ?? 0, upTo).map((turn) => ({ ...turn, agent: name })));
    seen.set(place, upTo);
  }
  return all;
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
