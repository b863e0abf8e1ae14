import type { Agent } from '../agent/seam/agent.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import type { Session } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { noteAnswer } from './accounts.ts';
import { answerHooks } from './answers.ts';
import { refOf } from './runs.ts';
import { drainSpool } from './spool.ts';
import { agentOf, type WorldState } from './world-state.ts';

/**
 * Writes to the journal what a run has left for us: what its hooks dropped and what it printed. All of it is durable
 * when this returns. It is the only step of a loop that takes anything in; each further source belongs in here.
 */
export async function ingest(world: WorldState, session: Session): Promise<void> {
  const ref = refOf(session);
  const agent = agentOf(world, session);
  if (ref.run > 0) {
    if (agent.turns !== undefined) await world.streams.catchUp(session, ref, agent.turns);
    ingestReports(world, session, ref, agent);
    if (agent.server !== undefined) await world.servers.ingest(session);
  }
  noteAnswer(world, world.now(session), agent);
}

/**
 * Takes in at once what a hook of a gated session dropped, and answers it. What fails here is met again by the next
 * step of its loop, which says so.
 */
export function ingestNow(world: WorldState, session: Session): void {
  const ref = refOf(session);
  if (ref.run === 0 || session.spec.conversation?.gate === undefined) return;
  try {
    const agent = agentOf(world, session);
    // The step of its loop, which is next, catches up with the stream in pieces.
    if (agent.turns !== undefined && world.streams.isFarBehind(session, ref, agent.turns)) return;
    ingestReports(world, session, ref, agent);
  } catch (error) {
    if (!(error instanceof OutlastError) && errnoOf(error) === '') throw error;
    world.log('what a hook reports cannot be taken for now', { session: session.id, why: String(error) });
  }
}

/**
 * Takes in what hooks and the stream report, and answers the hooks that wait. An agent reports a prompt before it
 * prints anything about it, and prints everything before a hook reports the end of the turn. So what hooks report of a
 * prompt comes first, and what was printed comes before everything else that they report.
 */
function ingestReports(world: WorldState, session: Session, ref: RunRef, agent: Agent): void {
  const { turns, gate } = agent;
  const stream = turns === undefined ? null : world.streams.listen(session, ref, turns);
  drainSpool(world, session, ref, agent, (type) => {
    if (type !== 'hook.opened' && type !== 'hook.prompted') stream?.ingestAll();
  });
  const isGated = session.spec.conversation?.gate !== undefined;
  if (gate?.asks === 'hooks' && isGated) answerHooks(world, session, ref, gate);
  stream?.ingest();
}
