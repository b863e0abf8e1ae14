import type { Counted, TokenKinds, Used } from '../../core/usage.ts';
import type { TurnEnd } from './turns.ts';

/** Counts the usage of sessions. */
export interface UsageReader {
  /** Usage since the last count: by the record and, for a run of one turn, by the end of its stream. */
  spent(spoken: MessageSource, since: Counted, said: TurnEnd | null): Used | null;
  /**
   * Sessions with the same account share billing and login. Its lines: the agent, the folder with the login, and what
   * replaces that; only the first two are ever shown.
   */
  account(env: Readonly<Record<string, string>>): string;
}

/** The usage that a process reports. */
export interface SaidUsed {
  readonly tokens: number;
  /** Missing: they are not told apart. */
  readonly byKind?: TokenKinds | undefined;
  readonly usd: number | null;
  /** The cost of one input token, by model. */
  readonly prices?: Readonly<Record<string, number>>;
}

/** A message of the model, and its usage. */
export interface CountedMessage {
  /** The agent's own id of it. */
  readonly message: string;
  readonly model: string | null;
  readonly tokens: number;
  /** Missing: they are not told apart. */
  readonly byKind?: TokenKinds | undefined;
  /** Tokens, weighted by their cost. */
  readonly weight: number;
  readonly atMs: number | null;
  /** The number of the prompt that it answers, within the conversation. */
  readonly prompt: number;
  /** The cost of the conversation at that prompt. */
  readonly usdBefore: number;
  /** Its cost, if the agent reports that for each message. */
  readonly usd?: number;
}

/** The messages of the agent itself, and those of its sub-agents in files of their own. */
export interface MessageSource {
  readonly main: readonly CountedMessage[];
  readonly side: readonly CountedMessage[];
}
