import type { Agent } from '../agent/seam/agent.ts';
import type { Session } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { noteAnswer } from './accounts.ts';
import { answerHooks } from './answers.ts';
import { noteLeft } from './left-limits.ts';
import { ingestConversation } from './open-conversation.ts';
import { refOf } from './runs.ts';
import { drainSpool } from './spool.ts';
import { sourceOf } from './stream-source.ts';
import { agentOf, unknownAgent, type WorldState } from './world-state.ts';

/**
 * Writes to the journal what a run has left for us: hook reports and output. All of it is durable when this returns. It
 * is the only step of the loop that reads input; each further source belongs here.
 */
export async function ingest(world: WorldState, session: Session): Promise<void> {
  const ref = refOf(session);
  // What it left stays where it is until its agent is known again.
  if (unknownAgent(world, session) !== null) return;
  const agent = agentOf(world, session);
  if (ref.run > 0 && !session.run?.isOfEarlierAgent) {
    ingestConversation(world, session, ref, agent);
    const current = world.now(session);
    const source = sourceOf(world, current, ref, agent);
    if (source === null) world.streams.forget(session.id);
    else await world.streams.catchUp(source);
    ingestReports(world, current, ref, agent);
    if (agent.server !== undefined) await world.servers.ingest(session);
  }
  noteAnswer(world, world.now(session), agent);
  noteLeft(world, world.now(session));
}

/**
 * Ingests at once what a hook of a gated session wrote, and answers it. A failure is met again, and reported, by the
 * next step of its loop.
 */
export function ingestNow(world: WorldState, session: Session): void {
  const ref = refOf(session);
  const isSpokenTo = ref.run > 0 && !session.run?.isOfEarlierAgent;
  if (!isSpokenTo || session.spec.conversation?.gate === undefined) return;
  try {
    const agent = agentOf(world, session);
    // The step of its loop, which is next, catches up with the stream in pieces.
    const source = sourceOf(world, session, ref, agent);
    if (source !== null && world.streams.isFarBehind(source)) return;
    ingestReports(world, session, ref, agent);
  } catch (error) {
    world.log('what a hook reports cannot be taken for now', { session: session.id, why: String(error) });
  }
}

/**
 * Ingests hook reports and the stream, and answers the hooks that wait. An agent reports a prompt before it prints
 * anything about it, and prints everything before a hook reports the end of the turn. So hook reports about a prompt
 * come first, and output comes before all other reports.
 */
function ingestReports(world: WorldState, session: Session, ref: RunRef, agent: Agent): void {
  const { gate } = agent;
  const source = sourceOf(world, session, ref, agent);
  const stream = source === null ? null : world.streams.listen(session, source);
  drainSpool(world, session, ref, agent, (type) => {
    if (type !== 'hook.opened' && type !== 'hook.prompted') stream?.ingestAll();
  });
  const isGated = session.spec.conversation?.gate !== undefined;
  if (gate?.asks === 'hooks' && isGated) answerHooks(world, session, ref, gate);
  stream?.ingest();
}
