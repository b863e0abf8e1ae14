// What becomes of each turn, and what the account of the agent meets.
import type { Trouble } from '../../src/core/session.ts';
import type { AccountSnapshot } from '../../src/core/snapshot.ts';
import type { Script } from './scripts.ts';

/**
 * What becomes of a turn of ours. hang: Escape helps. hangMute: it hangs before it printed
 * anything. hangDeaf: Escape does not help. hangPinging: its screen moves for ever, but it makes no progress.
 */
export type Lot =
  | 'answer'
  | 'crash'
  | 'cut'
  | 'hang'
  | 'hangMute'
  | 'hangDeaf'
  | 'hangPinging'
  | Exclude<Trouble['kind'], 'limited'>
  | Limit;

/** A usage limit that ends after this time; null: its end is unknown. */
export interface Limit {
  readonly limitedMs: number | null;
}

/** The world's clock on the wall is far from its steady one. */
const WALL_MS = 1_000_000_000;
const NAP_AFTER_MS = 10_000;

const ALONE = { limitedUntilMs: null, login: 'fine', leads: true, answeredAtMs: null } as const;

export class Lots {
  readonly #script: Script;
  #spent = 0;
  #limitedUntilMs = 0;
  #napAtMs = Number.POSITIVE_INFINITY;

  constructor(script: Script) {
    this.#script = script;
  }

  /** What will become of the turn that begins, if it lives to see it. */
  draw(): Lot {
    const { lots = [], forever } = this.#script;
    return lots[forever ? Math.min(this.#spent, lots.length - 1) : this.#spent] ?? 'answer';
  }

  /** It has come to that. */
  spend(): void {
    this.#spent += 1;
  }

  wallMs(nowMs: number): number {
    return nowMs + WALL_MS + (nowMs < this.#napAtMs ? 0 : (this.#script.napMs ?? 0));
  }

  /** The machine will soon sleep: only the wall clock advances, without any notification. */
  nap(nowMs: number): void {
    this.#napAtMs = Math.min(this.#napAtMs, nowMs + NAP_AFTER_MS);
  }

  /** The failure that a turn ends with; null: it does not fail. */
  troubleOf(lot: Lot, nowMs: number): Trouble | null {
    if (typeof lot === 'object') {
      const { limitedMs } = lot;
      if (limitedMs === null) return { kind: 'limited', untilMs: null };
      this.#limitedUntilMs = this.wallMs(nowMs) + limitedMs;
      return { kind: 'limited', untilMs: this.#limitedUntilMs };
    }
    if (lot === 'answer' || lot === 'crash' || lot === 'cut' || lot.startsWith('hang')) return null;
    return { kind: lot } as Trouble;
  }

  /** What other sessions of the account have met. */
  account(nowMs: number): AccountSnapshot {
    const { account } = this.#script;
    const isPast = account === undefined || nowMs >= account.ms;
    const untilMs = account === undefined ? 0 : this.wallMs(0) + account.ms;
    const isAnswered = nowMs >= (account?.answeredMs ?? Number.POSITIVE_INFINITY);
    const answeredAtMs = isAnswered ? (account?.answeredMs ?? null) : null;
    if (account?.is === 'limited') return { ...ALONE, limitedUntilMs: isAnswered ? null : untilMs, answeredAtMs };
    return { ...ALONE, login: isPast ? 'fine' : (account?.is ?? 'fine') };
  }

  /** What is wrong with sending something now; null: nothing. */
  wrong(nowMs: number): string | null {
    const { account, wishes = [] } = this.#script;
    const untilMs = Math.min(account?.ms ?? 0, account?.answeredMs ?? Number.POSITIVE_INFINITY);
    if (account !== undefined && nowMs < untilMs) return `sent while its account was ${account.is}`;
    // Somebody said so; or took back what met the limit, and with it what is known of it.
    const isTold = wishes.some(({ input }) => input.type === 'resume' || input.type === 'drop');
    return this.wallMs(nowMs) < this.#limitedUntilMs && !isTold ? 'sent before its limit ended' : null;
  }
}
