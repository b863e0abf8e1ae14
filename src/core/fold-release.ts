import { isDeferred, isUnderWay } from './deferred.ts';
import { isSuspended, JOURNAL, suspendedOf } from './restored.ts';
import { type Phase, type Prompt, runOf, type Session } from './session.ts';
import { isLongLived } from './spec.ts';

/** Held: too many sessions on this host crash. */
export const HOST = 'host';

/** Held: its conversation cannot be found. */
export const TRANSCRIPT = 'transcript';

/** Held: another process has its conversation open. */
export const IN_USE = 'in-use';

/** Held: the folder it works in is gone. */
export const WORKSPACE = 'workspace';

/** Why a session is held when it cannot be told which conversation its last run began. */
export const UNFOUND = 'unfound';

const BETWEEN_RUNS: readonly string[] = [HOST, TRANSCRIPT, IN_USE, WORKSPACE, UNFOUND, JOURNAL];

/** Its last run is over and no other was started: there is no process to look at. */
export function isHeldBetweenRuns({ phase }: Session): boolean {
  return phase.at === 'held' && BETWEEN_RUNS.includes(phase.why.kind);
}

/** The obstacle is gone: work in progress continues, and what failed is resumed. */
export function released(s: Session, nowMs: number): Session {
  // A suspended session is still held or limited for the reason it had before.
  const prompts = isSuspended(s) ? s.prompts : s.prompts.map((p) => (p.state === 'troubled' ? again(p) : p));
  const parkedMs = s.accounting.parkedMs + (s.phase.at === 'limited' ? nowMs - s.phase.sinceMs : 0);
  const restored = s.restored && !isOfJournal(s);
  return {
    ...s,
    prompts,
    accounting: { ...s.accounting, parkedMs },
    restored,
    phase: suspendedOf(s, nowMs) ?? phaseAfter({ ...s, prompts }, nowMs),
  };
}

/** A person gave up a conversation without a known id: its prompts are sent to a new one. */
export function sentAfresh(s: Session): Session {
  if ((s.conversation.id ?? s.spec.conversation?.id ?? null) !== null) return s;
  return { ...s, prompts: s.prompts.map((p) => (isUnderWay(p) ? { ...p, state: 'queued', waiting: null } : p)) };
}

function isOfJournal({ phase }: Session): boolean {
  return phase.at === 'held' && phase.why.kind === JOURNAL;
}

/** It will be sent once more, as a continuation. */
export function again(prompt: Prompt): Prompt {
  return { ...prompt, state: 'queued', turn: prompt.turn + 1, waiting: null, unknown: [] };
}

function phaseAfter(s: Session, nowMs: number): Phase {
  const run = runOf(s);
  const isOver = isHeldBetweenRuns(s) && !isOfJournal(s);
  if (isOver && isLongLived(s.spec)) return { at: 'queued' };
  const isWorking = !isOver && !isDeferred(s) && s.prompts.some((p) => p.state === 'accepted' && p.run === run);
  // A live agent has to show that it is ready again; between turns there is no process to look at.
  return { at: isWorking ? 'working' : s.spec.drive === 'turns' ? 'idle' : 'starting', run, sinceMs: nowMs };
}
