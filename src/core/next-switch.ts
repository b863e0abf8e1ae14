import type { Step } from './event.ts';
import { nextSettled } from './next-trouble.ts';
import { runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { act, append, DRAIN_LOOK_MS, draining, ended, wait } from './steps.ts';

/**
 * Another agent takes over, once no process of this one is left: two agents in one folder undo each other's work. Null:
 * none is to.
 */
export function nextSwitch(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { switchTo } = s.conversation;
  if (switchTo === undefined || s.phase.at === 'closing' || s.phase.at === 'ended') return null;
  const switched = { type: 'session.switched', from: s.spec.agent, to: switchTo.agent } as const;
  if (s.run === null) return append(switched);
  if (snapshot.terminal.is === 'alive' || snapshot.strayProcesses > 0) return act({ kind: 'close', run: runOf(s) });
  if (draining(snapshot)) return wait(nowMs + DRAIN_LOOK_MS);
  const settled = nextSettled(s, snapshot);
  if (settled) return settled;
  return s.run.outputBytes === null ? append(ended(s, snapshot), switched) : append(switched);
}
