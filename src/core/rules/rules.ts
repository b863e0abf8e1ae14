import type { Action } from './action.ts';

/** What a rule says about the calls it fits. */
export type Effect = 'allow' | 'ask' | 'deny';

/** One rule of the gate. How it is written is in grammar.ts. */
export interface Rule {
  readonly effect: Effect;
  /** As it was written. */
  readonly text: string;
  /** What it is about: a word for a kind of action, or the name of a tool; `*` stands for any letters. */
  readonly tool: string;
  /** What is in the brackets; null when the whole tool is meant. */
  readonly pattern: string | null;
}

/** A tool call that waits for a verdict. */
export interface Call {
  /** What the agent calls the tool. */
  readonly tool: string;
  /** Everything that it would do. */
  readonly actions: readonly Action[];
  /** Absolute. Rules without a leading `/` or `~` begin here. */
  readonly workspace: string;
  readonly home: string;
  /** Where a command would start and relative paths begin; the workspace when it is not given. */
  readonly cwd?: string;
  /**
   * The paths of the call, as they are written, and where they lead with links resolved, where the caller can look. The
   * rules see names only: a link that leads out of the workspace is seen only here. Both paths must be allowed; one
   * that is denied is enough.
   */
  readonly real?: Readonly<Record<string, string>>;
}

/** One thing that a call would do, and what the rules say about it. */
export interface JudgedPart {
  readonly text: string;
  readonly verdict: Effect;
  readonly rule: Rule | null;
  readonly why: string;
}

/** The verdict over a call: that of its worst part. */
export interface Judgement {
  readonly verdict: Effect;
  /** The rule that decided; null when none did. */
  readonly rule: Rule | null;
  readonly why: string;
  readonly parts: readonly JudgedPart[];
}

/** Rules as they stand in a settings file. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** A call that does more is asked about: to judge it could hold up the gate. */
export const ACTIONS_MAX = 1_000;

export const EFFECTS = ['allow', 'ask', 'deny'] as const satisfies readonly Effect[];

/** The rule that says most of what it means: the longest pattern, and any pattern before none. */
export function mostSpecific(rules: readonly Rule[]): Rule | null {
  const weight = ({ tool, pattern }: Rule): number => (pattern === null ? 0 : 10_000 + pattern.length) + tool.length;
  return rules.reduce<Rule | null>((best, rule) => (best && weight(best) >= weight(rule) ? best : rule), null);
}
