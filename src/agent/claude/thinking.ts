/** A thinking level for Claude Code: an argument, and a variable for models that only know that. */
export interface ThinkingPlan {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Level {
  readonly effort: string;
  /** The thinking tokens for models without levels; null: as many as they allow. */
  readonly tokens: number | null;
}

/**
 * Newer models use the effort and older ones the tokens, so both are set. With 0 tokens a model does not think at all,
 * if it can; one that always thinks uses the least effort.
 */
const LEVELS: Readonly<Record<string, Level>> = {
  off: { effort: 'low', tokens: 0 },
  minimal: { effort: 'low', tokens: 1_024 },
  low: { effort: 'low', tokens: 4_000 },
  medium: { effort: 'medium', tokens: 10_000 },
  high: { effort: 'high', tokens: null },
  xhigh: { effort: 'xhigh', tokens: null },
  max: { effort: 'max', tokens: null },
};

/** The levels, least first. */
export const THINKING: readonly string[] = Object.keys(LEVELS);

/** The plan for a level; empty when there is none, or one that this version no longer knows. */
export function thinkingPlan(name: string | null): ThinkingPlan {
  const level = name !== null && Object.hasOwn(LEVELS, name) ? LEVELS[name] : undefined;
  if (level === undefined) return { args: [], env: {} };
  const { effort, tokens } = level;
  return { args: ['--effort', effort], env: tokens === null ? {} : { MAX_THINKING_TOKENS: String(tokens) } };
}
