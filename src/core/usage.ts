import type { PromptId } from './session.ts';

/** Tokens by kind: each token has one. */
export interface TokenKinds {
  /** Read by the model, without the cached ones. */
  readonly input: number;
  /** Written by the model, with its thoughts. */
  readonly output: number;
  /** Input that the model had in its cache. */
  readonly cacheRead: number;
  /** Input that was added to the cache. */
  readonly cacheWrite: number;
}

/** The usage of one model. */
export interface Spent {
  /** As the agent names it; null: not reported. */
  readonly model: string | null;
  readonly tokens: number;
  /** As the agent estimates it; null: not reported. */
  readonly usd: number | null;
  /** The tokens that are told apart; missing: none. */
  readonly byKind?: TokenKinds | undefined;
}

/** Usage recorded since the last count. */
export interface Used extends Omit<Spent, 'model'> {
  /** Usage by model. */
  readonly by?: readonly Spent[];
  /** The agent's own id of the last message in it. */
  readonly upTo?: string | null;
  /** The limits of the account, as recorded with it; missing: none are. */
  readonly windows?: readonly LimitWindow[];
}

/** Where the last count ended. */
export interface Counted {
  /** The last message in it, by the agent's own id; null: not known. */
  readonly message: string | null;
  /** When it was counted, wall time. */
  readonly atMs: number;
}

/** What a session has used so far. */
export interface Usage {
  readonly turns: number;
  readonly tokens: number;
  /** As the agent estimates it; null: not reported. */
  readonly usd: number | null;
  /** The tokens that agents tell apart; missing: none. An agent that does not may have used others. */
  readonly byKind?: TokenKinds | undefined;
}

/** A limit of an account for one period, as the agent reports it. */
export interface LimitWindow {
  /** Which one: five_hour, seven_day, or the agent's own word. */
  readonly name: string;
  /** How much of it is used; null: not reported. */
  readonly usedPercent: number | null;
  /** When it begins again, wall time; null: not reported. */
  readonly resetsAtMs: number | null;
}

/** The last report about a limit. */
export interface Gauge extends LimitWindow {
  /** When it was recorded, wall time, and by which run. */
  readonly atMs: number;
  readonly run: number;
}

/** A person's decision to continue a session. */
export interface ManualResume {
  readonly atMs: number;
  readonly usage: Usage;
  readonly resumes: number;
}

/** Its usage, and from where its limits are counted. */
export interface Accounting {
  readonly usage: Usage;
  /** The last manual resume, and the usage at that time: limits are counted from there. */
  readonly manualResume: ManualResume | null;
  /** The last turn whose usage is included. */
  readonly counted: PromptId | null;
  /** The last counted message of the agent; null: none. */
  readonly countedUpTo: Counted | null;
  /** How long it was limited: that time counts toward no limit. */
  readonly parkedMs: number;
  /** The limits of its account, each as last reported; missing: none was. */
  readonly gauges?: readonly Gauge[];
}

/** The sum of those that are known; undefined: none is. */
export function sumOfKinds(all: readonly (TokenKinds | undefined)[]): TokenKinds | undefined {
  return all.reduce(
    (sum, one) =>
      sum === undefined || one === undefined
        ? (sum ?? one)
        : {
            input: sum.input + one.input,
            output: sum.output + one.output,
            cacheRead: sum.cacheRead + one.cacheRead,
            cacheWrite: sum.cacheWrite + one.cacheWrite,
          },
    undefined,
  );
}
