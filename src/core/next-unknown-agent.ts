import type { Step } from './event.ts';
import { UNKNOWN_AGENT } from './restored.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, wait } from './steps.ts';

/**
 * Without its adapter nothing that an agent does can be understood. The session is held where it is, and goes on from
 * there when the agent is known again; its process is left alone meanwhile.
 */
export function nextUnknownAgent(s: Session, { unknownAgent }: Snapshot): Step | null {
  if (s.phase.at === 'closing' || s.phase.at === 'ended') return null;
  const isHeld = s.phase.at === 'held' && s.phase.why.kind === UNKNOWN_AGENT;
  if (unknownAgent === undefined) return isHeld ? append({ type: 'session.released', run: runOf(s) }) : null;
  if (isHeld) return wait(null);
  const text = `${unknownAgent}. It continues automatically once that is fixed. Or stop it`;
  return append({ type: 'session.held', run: runOf(s), why: { kind: UNKNOWN_AGENT, text } });
}
