import type { Step } from './event.ts';
import { IN_USE } from './fold-release.ts';
import { type Prompt, runOf, type Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, faulted, wait } from './steps.ts';

/** How soon to look for the other process again. */
const HOLDER_LOOK_MS = 1_000;

const HELP = 'It continues automatically when that process has ended';

/** No run is started in a conversation that another process has open: two writers would fork it. */
export function nextInUse(s: Session, { holder }: Snapshot): Step | null {
  if (holder === undefined) return null;
  return append({ type: 'session.held', run: runOf(s), why: { kind: IN_USE, text: `${holder}. ${HELP}` } });
}

/** Held until the other process is gone. */
export function nextFreed(s: Session, { holder }: Snapshot, nowMs: number): Step {
  if (holder !== undefined) return wait(nowMs + HOLDER_LOOK_MS);
  return append({ type: 'session.released', run: runOf(s) });
}

/** A prompt waits until the other process is gone, and reports that. */
export function nextBehind({ holder }: Snapshot, prompt: Prompt, nowMs: number): Step | null {
  if (holder === undefined) return null;
  if (prompt.waiting !== holder) return append({ type: 'prompt.waiting', prompt: prompt.id, why: holder });
  return wait(nowMs + HOLDER_LOOK_MS);
}

/** A live process has to read what another writer added before it gets a prompt. */
export function nextAhead(s: Session, { transcript }: Snapshot, nowMs: number): Step | null {
  if (s.phase.at !== 'idle' || transcript.isAhead !== true) return null;
  return faulted(s, { kind: 'cut', why: 'another process has continued its conversation' }, nowMs);
}
