/** What a level of thinking is for Claude Code: an argument, and a variable for models that only know that. */
export interface ThinkingPlan {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Level {
  readonly effort: string;
  /** Models without levels think up to so many tokens; null: as many as they may. */
  readonly tokens: number | null;
}

/**
 * Newer models take the effort and not the tokens, older ones the tokens and not the effort, so both are said. With 0
 * tokens a model does not think at all, if it can; one that must thinks with the least effort.
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

/** How Claude Code is told; nothing when nobody said a level, or one that this version does not know any more. */
export function thinkingPlan(name: string | null): ThinkingPlan {
  const level = name !== null && Object.hasOwn(LEVELS, name) ? LEVELS[name] : undefined;
  if (level === undefined) return { args: [], env: {} };
  const { effort, tokens } = level;
  return { args: ['--effort', effort], env: tokens === null ? {} : { MAX_THINKING_TOKENS: String(tokens) } };
}
