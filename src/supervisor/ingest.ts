import type { Agent } from '../agent/seam/agent.ts';
import type { Session } from '../core/session.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { answerHooks } from './answers.ts';
import { drainSpool } from './spool.ts';
import type { WorldState } from './world-state.ts';

/**
 * Takes what there is to hear of a run, and answers the hooks that wait. A prompt is heard before anything is printed
 * about it, and everything is printed before a hook tells of its end. So what hooks say of the prompt comes first, and
 * before all else they say comes what was printed.
 */
export function hear(world: WorldState, session: Session, ref: RunRef, agent: Agent): void {
  const { turns, gate } = agent;
  const stream = turns === undefined ? null : world.streams.listen(session, ref, turns);
  drainSpool(world, session, ref, agent, (type) => {
    if (type !== 'hook.opened' && type !== 'hook.prompted') stream?.takeAll();
  });
  if (gate !== undefined && session.spec.conversation?.gate !== undefined) answerHooks(world, session, ref, gate);
  stream?.take();
}
