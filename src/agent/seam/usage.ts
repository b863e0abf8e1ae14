import type { Counted, Used } from '../../core/usage.ts';
import type { TurnEnd } from './turns.ts';

/** Counts what sessions use up. */
export interface UsageReader {
  /** What was used up since the last count: by the record and, of a run of one turn, by the end of its stream. */
  spent(spoken: MessageSource, since: Counted, said: TurnEnd | null): Used | null;
  /** Sessions with the same account are billed and logged in together. */
  account(env: Readonly<Record<string, string>>): string;
}

/** What a process says that it used up. */
export interface SaidUsed {
  readonly tokens: number;
  readonly usd: number | null;
  /** What one token that is read costs, by model. */
  readonly prices?: Readonly<Record<string, number>>;
}

/** A message of the model, and what it used up. */
export interface CountedMessage {
  /** The agent's own id of it. */
  readonly message: string;
  readonly model: string | null;
  readonly tokens: number;
  /** The tokens, each weighted by what it costs. */
  readonly weight: number;
  readonly atMs: number | null;
  /** Counts the prompts of the conversation: after which of them it was said. */
  readonly prompt: number;
  /** What the conversation had cost when that prompt was given. */
  readonly usdBefore: number;
  /** What it cost, where the agent says so message by message. */
  readonly usd?: number;
}

/** What the agent itself said, and what its sub-agents said in files of their own. */
export interface MessageSource {
  readonly main: readonly CountedMessage[];
  readonly side: readonly CountedMessage[];
}
