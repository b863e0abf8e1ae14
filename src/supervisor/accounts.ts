import type { Agent } from '../agent/seam/agent.ts';
import type { Session } from '../core/session.ts';
import type { AccountSnapshot } from '../core/snapshot.ts';
import type { LeftLimit } from './left-limits.ts';
import type { WorldState, WorldView } from './world-state.ts';

/** When each account last got a reply. Kept longer than the session that got it. */
export class Answers {
  readonly #atMs = new Map<string, number>();

  /** True: it was not known before. */
  note(account: string, atMs: number): boolean {
    if (atMs <= (this.#atMs.get(account) ?? Number.NEGATIVE_INFINITY)) return false;
    this.#atMs.set(account, atMs);
    return true;
  }

  last(account: string): number | null {
    return this.#atMs.get(account) ?? null;
  }
}

/** A reply matters to all sessions that wait for the account. */
export function noteAnswer(
  { answers, answered, transcriptReader }: WorldState,
  session: Session,
  { usage }: Agent,
): void {
  if (usage === undefined || session.turn.answeredAtMs === null) return;
  if (answers.note(usage.account(transcriptReader.env(session)), session.turn.answeredAtMs)) answered();
}

/** What other sessions of the same account have met. */
export function accountSnapshot(world: WorldView, session: Session, { usage }: Agent): AccountSnapshot {
  if (usage === undefined) return ALONE;
  const { agent } = session.spec;
  const nowMs = world.clock.steadyMs();
  const all = world.live().filter((other) => other.id !== session.id && other.spec.agent === agent);
  const stuck = all.filter((other) => isStuck(other, nowMs) && isNews(session, other));
  // Only a session in trouble needs to know how others are.
  if (stuck.length === 0 && world.leftLimits.isEmpty && !isHeldOrLimited(session)) return ALONE;
  const own = usage.account(world.transcriptReader.env(session));
  const same = stuck.filter((other) => usage.account(world.transcriptReader.env(other)) === own);
  const answeredAtMs = world.answers.last(own);
  const sinceMs = answeredAtMs ?? Number.NEGATIVE_INFINITY;
  const left = leftLimit(session, world.leftLimits.of(own), sinceMs);
  const untilMs = [...same.flatMap((other) => limitOf(other, sinceMs)), ...left];
  return {
    limitedUntilMs: untilMs.length === 0 ? null : Math.max(...untilMs),
    login: loginOf(same, nowMs),
    leads: same.filter(isLoggedOut).every(({ id }) => id > session.id),
    answeredAtMs,
  };
}

/** No other session has met anything. */
export const ALONE: AccountSnapshot = { limitedUntilMs: null, login: 'fine', leads: true, answeredAtMs: null };

/** Its phase, or the one it returns to after a person's visit. */
function placeOf({ phase, attendance: { suspendedPhase } }: Session): Session['phase'] {
  return suspendedPhase?.phase ?? phase;
}

function isHeldOrLimited(session: Session): boolean {
  return ['held', 'limited'].includes(placeOf(session).at);
}

/** The end of its limit, unless another session got a reply since. */
function limitOf(session: Session, answeredAtMs: number): number[] {
  const place = placeOf(session);
  return place.at === 'limited' && place.sinceMs > answeredAtMs ? [place.untilMs] : [];
}

/** A limit for which another session was switched. What a person resumed later may try. */
function leftLimit({ accounting: { manualResume } }: Session, left: LeftLimit | null, answeredAtMs: number): number[] {
  const knownAtMs = Math.max(answeredAtMs, manualResume?.atMs ?? Number.NEGATIVE_INFINITY);
  return left !== null && left.sinceMs > knownAtMs ? [left.untilMs] : [];
}

function isStuck(session: Session, nowMs: number): boolean {
  return placeOf(session).at === 'limited' || isLoggedOut(session) || isProbing(session, nowMs);
}

/** A person who resumes a session knows what its account had met by then. */
function isNews({ accounting: { manualResume } }: Session, other: Session): boolean {
  const place = placeOf(other);
  return manualResume === null || !('sinceMs' in place) || place.sinceMs > manualResume.atMs;
}

function loginOf(same: readonly Session[], nowMs: number): AccountSnapshot['login'] {
  if (same.some((other) => isProbing(other, nowMs))) return 'probing';
  return same.some(isLoggedOut) ? 'failed' : 'fine';
}

/** Its own turn failed for it, not only another session's. */
function isLoggedOut(session: Session): boolean {
  const place = placeOf(session);
  return place.at === 'held' && place.why.kind === 'login' && session.prompts.some(({ state }) => state === 'troubled');
}

/** A failing login is reported within this time. */
const PROBE_MS_MAX = 60_000;

/** It retries what failed for lack of a login, to see whether that works again. */
function isProbing({ phase, prompts }: Session, nowMs: number): boolean {
  const tried = prompts.find(({ trouble, state }) => trouble?.trouble.kind === 'login' && state !== 'troubled');
  if (tried === undefined || !['opening', 'starting', 'idle', 'working'].includes(phase.at)) return false;
  return !('sinceMs' in phase) || nowMs - phase.sinceMs < PROBE_MS_MAX;
}
