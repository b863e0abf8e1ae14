// The scripted outcome of each turn, and the limits and logins of the agent's account.
import type { Trouble } from '../../src/core/session.ts';
import type { AccountSnapshot } from '../../src/core/snapshot.ts';
import type { Script } from './scripts.ts';

/**
 * The outcome of a turn that the daemon started. hang: Escape ends it. hangMute: it hangs before any output.
 * hangDeaf: Escape does not end it. hangPinging: its screen keeps changing, without progress.
 */
export type TurnOutcome =
  | 'answer'
  | 'crash'
  | 'cut'
  | 'hang'
  | 'hangMute'
  | 'hangDeaf'
  | 'hangPinging'
  | Exclude<Trouble['kind'], 'limited'>
  | Limit;

/** A usage limit and its duration; null: its end is unknown. */
export interface Limit {
  readonly limitedMs: number | null;
}

/** The offset of the wall clock, far from the steady clock. */
const WALL_MS = 1_000_000_000;
const SLEEP_AFTER_MS = 10_000;

const ALONE = { limitedUntilMs: null, login: 'fine', leads: true, answeredAtMs: null } as const;

export class TurnOutcomes {
  readonly #script: Script;
  #index = 0;
  #limitedUntilMs = 0;
  #sleepAtMs = Number.POSITIVE_INFINITY;

  constructor(script: Script) {
    this.#script = script;
  }

  /** The outcome of the turn that starts now, unless a fault ends it earlier. */
  current(): TurnOutcome {
    const { turnOutcomes = [], forever } = this.#script;
    return turnOutcomes[forever ? Math.min(this.#index, turnOutcomes.length - 1) : this.#index] ?? 'answer';
  }

  /** The outcome was reached: the next turn has the next one. */
  advance(): void {
    this.#index += 1;
  }

  wallMs(nowMs: number): number {
    return nowMs + WALL_MS + (nowMs < this.#sleepAtMs ? 0 : (this.#script.sleepMs ?? 0));
  }

  /** The machine will sleep soon: only the wall clock advances, and the daemon gets no notification. */
  sleep(nowMs: number): void {
    this.#sleepAtMs = Math.min(this.#sleepAtMs, nowMs + SLEEP_AFTER_MS);
  }

  /** The trouble that a turn fails with; null: it does not fail. */
  troubleOf(outcome: TurnOutcome, nowMs: number): Trouble | null {
    if (typeof outcome === 'object') {
      const { limitedMs } = outcome;
      if (limitedMs === null) return { kind: 'limited', untilMs: null };
      this.#limitedUntilMs = this.wallMs(nowMs) + limitedMs;
      return { kind: 'limited', untilMs: this.#limitedUntilMs };
    }
    if (outcome === 'answer' || outcome === 'crash' || outcome === 'cut' || outcome.startsWith('hang')) return null;
    return { kind: outcome } as Trouble;
  }

  /** The limit or failed login that other sessions of the account have met. */
  account(nowMs: number): AccountSnapshot {
    const { account } = this.#script;
    const isPast = account === undefined || nowMs >= account.ms;
    const untilMs = account === undefined ? 0 : this.wallMs(0) + account.ms;
    const isAnswered = nowMs >= (account?.answeredMs ?? Number.POSITIVE_INFINITY);
    const answeredAtMs = isAnswered ? (account?.answeredMs ?? null) : null;
    if (account?.is === 'limited') return { ...ALONE, limitedUntilMs: isAnswered ? null : untilMs, answeredAtMs };
    return { ...ALONE, login: isPast ? 'fine' : (account?.is ?? 'fine') };
  }

  /** Why nothing may be sent now; null: it may. */
  sendViolation(nowMs: number): string | null {
    const { account, inputs = [] } = this.#script;
    const untilMs = Math.min(account?.ms ?? 0, account?.answeredMs ?? Number.POSITIVE_INFINITY);
    if (account !== undefined && nowMs < untilMs) return `sent while its account was ${account.is}`;
    // A resume allows it, and another agent has no limit. A drop removes the limited prompt, and what is known of it.
    const isAllowed = inputs.some(({ input }) => ['resume', 'switch', 'drop'].includes(input.type));
    return this.wallMs(nowMs) < this.#limitedUntilMs && !isAllowed ? 'sent before its limit ended' : null;
  }
}
