import { byHost } from './actor.ts';
import type { EventBody, Step } from './event.ts';
import type { Gauged } from './event-body.ts';
import { isGaugeNews } from './fold-usage.ts';
import { isUseless, nextRemedy } from './next-remedy.ts';
import type { Hold, Phase, Prompt, PromptId, Session, Trouble } from './session.ts';
import { runOf } from './session.ts';
import type { Snapshot } from './snapshot.ts';
import { append, backoffMs, spreadMs, wait } from './steps.ts';
import { sumOfKinds, type Used } from './usage.ts';

/** When to retry after a limit without a known end. */
const LIMIT_UNKNOWN_MS = 30 * 60_000;
/** Spreads sessions that wait for the same limit. */
const LIMIT_SPREAD_MS = 4 * 60_000;
const LIMIT_AFTER_MS = 60_000;
/** Spreads sessions that are released by another session's answer. */
const WAKE_SPREAD_MS = 10_000;
/** How often one of the sessions retries a login that failed. */
const PROBE_MS = 5 * 60_000;
/** How often a wait for wall-clock time is checked: the clock may be set, or the machine may have slept. */
const WALL_LOOK_MS = 60_000;

/** A failed turn: the reason decides what helps. */
export function nextTroubled(s: Session, prompt: Prompt, snapshot: Snapshot, nowMs: number): Step | null {
  if (prompt.state !== 'troubled' || prompt.trouble === null) return null;
  const { trouble, text } = prompt.trouble;
  const failed = append({ type: 'prompt.failed', prompt: prompt.id, error: text });
  if (isUseless(prompt)) return failed;
  switch (trouble.kind) {
    case 'limited':
      if (s.spec.policy.onLimit === 'stop') return failed;
      if (s.spec.policy.onLimit === 'ask')
        return held(s, { kind: 'limit', text: `${text}. To continue: outlast resume` });
      return append({ type: 'session.limited', run: runOf(s), untilMs: limitEnd(trouble, snapshot), text });
    case 'overloaded': {
      if (prompt.troubles > s.spec.policy.resumesMax) return failed;
      const retryAtMs = nowMs + backoffMs(s, prompt.troubles - 1);
      return append({ type: 'prompt.delayed', prompt: prompt.id, retryAtMs, why: text });
    }
    case 'login':
    case 'billing':
    case 'too-long':
    case 'poisoned': {
      const { kind } = trouble;
      const why = { kind, text: `${text.replace(/\.$/, '')}. ${HELPS[kind]}` };
      return nextRemedy(s, prompt, snapshot, nowMs) ?? held(s, why);
    }
    case 'other':
      return failed;
  }
}

const HELPS: Readonly<Record<'login' | 'billing' | 'too-long' | 'poisoned', string>> = {
  login: 'Log in with the agent, then: outlast resume',
  billing: 'Settle the bill, then: outlast resume',
  'too-long': 'Compacting did not help. Attach and shorten it, then: outlast resume. Or stop it and start a new one',
  poisoned:
    'A copy of the conversation did not help. Attach and look, then: outlast resume. Or stop it and start a new one',
};

/** May anything be sent now? The account may be limited or logged out, or the budget used up. */
export function nextAllowed(s: Session, snapshot: Snapshot, nowMs: number): Step | null {
  const { limitedUntilMs, login } = snapshot.account;
  if (limitedUntilMs !== null && limitedUntilMs > snapshot.wallMs && s.spec.policy.onLimit !== 'stop') {
    const text = 'another session of the same account hit its limit';
    return append({ type: 'session.limited', run: runOf(s), untilMs: limitedUntilMs, text });
  }
  if (login === 'failed') return held(s, { kind: 'login', text: `the account is logged out. ${HELPS.login}` });
  if (login === 'probing') return wait(nowMs + WALL_LOOK_MS / 60);
  // The budget of the tree is for all of its sessions: a manual resume of this one takes it into account.
  const why = overBudget(s) ?? (s.accounting.manualResume === null ? (snapshot.overdrawn ?? null) : null);
  return why === null ? null : held(s, { kind: 'budget', text: `${why}. To continue anyway: outlast resume` });
}

/** The usage of the last turn is counted before anything else. */
export function nextCounted(s: Session, { used }: Snapshot): Step | null {
  if (s.turn.last === null || s.accounting.counted === s.turn.last.prompt || used === null) return null;
  return append(counted(s, used, s.turn.last.prompt), ...gauged(s, used));
}

/** What the record of the agent says about the limits of its account, unless it was reported before. */
function gauged(s: Session, { windows = [] }: Used): EventBody[] {
  const body: Gauged = { type: 'usage.gauged', run: runOf(s), windows };
  return isGaugeNews(s, body) ? [body] : [];
}

/** Usage that belongs to no finished turn is counted when the session ends. */
export function nextSettled(s: Session, snapshot: Snapshot): Step | null {
  const { used } = snapshot;
  return nextCounted(s, snapshot) ?? (used === null || used.tokens === 0 ? null : append(counted(s, used, null)));
}

function counted(s: Session, { tokens, usd, byKind, by, upTo }: Used, prompt: PromptId | null): EventBody {
  const { usage } = s.accounting;
  const sum = {
    turns: usage.turns + (prompt === null ? 0 : 1),
    tokens: usage.tokens + tokens,
    usd: usd === null ? usage.usd : (usage.usd ?? 0) + usd,
    byKind: sumOfKinds([usage.byKind, byKind]),
  };
  return { type: 'usage.counted', prompt, usage: sum, ...(by && { by }), ...(upTo && { upTo }) };
}

/** Waits until the limit ends, by the wall clock, or until the account is seen to work again. */
export function nextLimited(s: Session, phase: Limited, snapshot: Snapshot, nowMs: number): Step {
  const { untilMs, sinceMs } = phase;
  const { answeredAtMs } = snapshot.account;
  // Another session of the account gets replies again: the limit was raised, or ended early.
  const isAnswered = answeredAtMs !== null && answeredAtMs > sinceMs;
  const soonMs = isAnswered ? answeredAtMs + wakeMs(s) : Number.POSITIVE_INFINITY;
  if (nowMs >= soonMs) return append({ type: 'session.unlimited', run: runOf(s), by: byHost('answered') });
  const dueMs = untilMs + LIMIT_AFTER_MS + spreadMs(s, LIMIT_SPREAD_MS);
  if (snapshot.wallMs >= dueMs) return append({ type: 'session.unlimited', run: runOf(s) });
  return wait(Math.min(soonMs, nowMs + Math.min(dueMs - snapshot.wallMs, WALL_LOOK_MS)));
}

type Limited = Extract<Phase, { at: 'limited' }>;

/** Retries are spread, and slower each time for a session that met the limit itself: others may have another limit. */
function wakeMs(s: Session): number {
  const troubles = s.prompts[0]?.troubles ?? 0;
  return spreadMs(s, WAKE_SPREAD_MS) + (troubles > 1 ? backoffMs(s, troubles) : 0);
}

/** Held until it is resumed. A login is retried now and then, by one session at a time. */
export function nextWord(s: Session, why: Hold, sinceMs: number, snapshot: Snapshot, nowMs: number): Step {
  if (why.kind !== 'login') return wait(null);
  const { login, leads, answeredAtMs } = snapshot.account;
  const isMine = s.prompts.some((p) => p.state === 'troubled');
  const isAnswered = answeredAtMs !== null && answeredAtMs > sinceMs;
  if (isAnswered || (!isMine && login === 'fine')) return append({ type: 'session.released', run: runOf(s) });
  const probeMs = sinceMs + PROBE_MS + spreadMs(s, PROBE_MS);
  if (nowMs < probeMs || login === 'probing') return wait(Math.max(probeMs, nowMs + WALL_LOOK_MS / 60));
  return isMine && leads
    ? append({ type: 'session.released', run: runOf(s), by: byHost('probe') })
    : wait(nowMs + WALL_LOOK_MS);
}

function held(s: Session, why: Omit<Hold, 'word'>): Step {
  return append({ type: 'session.held', run: runOf(s), why: { ...why, needsResume: true } });
}

function limitEnd(trouble: Extract<Trouble, { kind: 'limited' }>, snapshot: Snapshot): number {
  const { untilMs } = trouble;
  // A reset time in the past is not the limit that applies.
  return untilMs !== null && untilMs > snapshot.wallMs ? untilMs : snapshot.wallMs + LIMIT_UNKNOWN_MS;
}

function overBudget({ spec, accounting: { usage, manualResume } }: Session): string | null {
  const { budget } = spec.policy;
  if (budget === undefined) return null;
  const { turns = 0, tokens = 0, usd = 0 } = manualResume?.usage ?? {};
  const isOver = (used: number, max: number | null): boolean => max !== null && used >= max;
  const many = (max: number | null, what: string): string =>
    `the budget of ${max} ${what}${max === 1 ? '' : 's'} is used up`;
  if (isOver(usage.turns - turns, budget.turns)) return many(budget.turns, 'turn');
  if (isOver(usage.tokens - tokens, budget.tokens)) return many(budget.tokens, 'token');
  if (isOver((usage.usd ?? 0) - (usd ?? 0), budget.usd)) return `the budget of $${budget.usd} is used up`;
  return null;
}
