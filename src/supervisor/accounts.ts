import type { Talk } from '../agent/agent.ts';
import type { Session } from '../core/session.ts';
import type { AccountSight } from '../core/sight.ts';
import type { Inside } from './inside.ts';

/** What other sessions of the same account have met. */
export function accountSight(inside: Inside, session: Session, talk: Talk): AccountSight {
  const { agent } = session.spec;
  const nowMs = inside.clock.steadyMs();
  const all = inside.live().filter((other) => other.id !== session.id && other.spec.agent === agent);
  // Whoever is well is of interest only to one who is not.
  const isHeld = session.phase.at === 'held';
  const others = all.filter(
    (other) => (isStuck(other, nowMs) && isNews(session, other)) || (isHeld && isAnswered(other)),
  );
  if (others.length === 0) return ALONE;
  const own = talk.account(inside.eyes.env(session));
  const same = others.filter((other) => talk.account(inside.eyes.env(other)) === own);
  const untilMs = same.flatMap(({ phase }) => (phase.at === 'limited' ? [phase.untilMs] : []));
  const answeredMs = same.filter(isAnswered).flatMap(({ phase }) => ('sinceMs' in phase ? [phase.sinceMs] : []));
  return {
    limitedUntilMs: latest(untilMs),
    login: loginOf(same, nowMs),
    leads: same.filter(isLoggedOut).every(({ id }) => id > session.id),
    answeredAtMs: latest(answeredMs),
  };
}

/** Nobody else has met anything. */
export const ALONE: AccountSight = { limitedUntilMs: null, login: 'fine', leads: true, answeredAtMs: null };

function latest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}

function isAnswered({ phase, last }: Session): boolean {
  return phase.at === 'idle' && last?.how === 'answered';
}

function isStuck(session: Session, nowMs: number): boolean {
  return session.phase.at === 'limited' || isLoggedOut(session) || isProbing(session, nowMs);
}

/** Somebody who says that a session shall go on knows what its account had met by then. */
function isNews({ word }: Session, { phase }: Session): boolean {
  return word === null || !('sinceMs' in phase) || phase.sinceMs > word.atMs;
}

function loginOf(same: readonly Session[], nowMs: number): AccountSight['login'] {
  if (same.some((other) => isProbing(other, nowMs))) return 'probing';
  return same.some(isLoggedOut) ? 'failed' : 'fine';
}

/** Its own turn failed for it, not only somebody else's. */
function isLoggedOut({ phase, prompts }: Session): boolean {
  return phase.at === 'held' && phase.why.kind === 'login' && prompts.some(({ state }) => state === 'troubled');
}

/** A login that fails is told within this. */
const PROBE_MS_MAX = 60_000;

/** It takes up what failed for the lack of a login, to see whether it works again. */
function isProbing({ phase, prompts }: Session, nowMs: number): boolean {
  const tried = prompts.find(({ trouble, state }) => trouble?.trouble.kind === 'login' && state !== 'troubled');
  if (tried === undefined || !['opening', 'starting', 'idle', 'working'].includes(phase.at)) return false;
  return !('sinceMs' in phase) || nowMs - phase.sinceMs < PROBE_MS_MAX;
}
