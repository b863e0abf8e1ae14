import type { Action } from './action.ts';

/** What a rule decides for the calls that it matches. */
export type Effect = 'allow' | 'ask' | 'deny';

/** One rule of the gate. grammar.ts has the syntax. */
export interface Rule {
  readonly effect: Effect;
  /** The rule as it was written. */
  readonly text: string;
  /** What it matches: a word for a kind of action, or the name of a tool; `*` matches any characters. */
  readonly tool: string;
  /** The text in parentheses; null when the rule matches the whole tool. */
  readonly pattern: string | null;
}

/** A tool call that waits for a decision. */
export interface Call {
  /** The agent's name of the tool. */
  readonly tool: string;
  /** Everything that the call would do. */
  readonly actions: readonly Action[];
  /** Absolute. Rules without a leading `/` or `~` are relative to it. */
  readonly workspace: string;
  readonly home: string;
  /** Where a command would start and relative paths begin; the workspace if absent. */
  readonly cwd?: string;
  /**
   * The paths of the call as they are written, each with its path after resolving links, if the caller can look at the
   * disk. The rules see names only: a link that leads out of the workspace is visible only here. Both paths must be
   * allowed; one that is denied is enough to deny.
   */
  readonly real?: Readonly<Record<string, string>>;
}

/** One part of a call, and its verdict. */
export interface JudgedPart {
  readonly text: string;
  readonly verdict: Effect;
  readonly rule: Rule | null;
  readonly why: string;
}

/** The verdict on a call: that of its worst part. */
export interface Judgement {
  readonly verdict: Effect;
  /** The rule that decided; null if none did. */
  readonly rule: Rule | null;
  readonly why: string;
  readonly parts: readonly JudgedPart[];
}

/** Rules as texts, as in a settings file. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** A call with more actions is asked about: judging it could block the gate. */
export const ACTIONS_MAX = 1_000;

export const EFFECTS = ['allow', 'ask', 'deny'] as const satisfies readonly Effect[];

/** The most specific rule: the longest pattern, and any pattern before none. */
export function mostSpecific(rules: readonly Rule[]): Rule | null {
  const weight = ({ tool, pattern }: Rule): number => (pattern === null ? 0 : 10_000 + pattern.length) + tool.length;
  return rules.reduce<Rule | null>((best, rule) => (best && weight(best) >= weight(rule) ? best : rule), null);
}
