import type { RecordedPrompt } from './record.ts';

/** How many prompts are kept, with their replies as long as those are not too long. */
const KEPT_MAX = 1_000;
const REPLIES_CHARS_MAX = 1024 * 1024;
/** This many are kept regardless of the length of their replies. */
const KEPT_MIN = 8;

/** The prompts whose turns are over, oldest first. Replaced, never modified. */
export interface PromptLog {
  readonly prompts: readonly RecordedPrompt[];
  /** The length of the kept replies. */
  readonly chars: number;
  /** Prompts were dropped. */
  readonly isCut: boolean;
}

/** The empty log. */
export const NO_PROMPTS: PromptLog = { prompts: [], chars: 0, isCut: false };

/** Adds prompts, and drops the oldest if there are too many. */
export function withPrompts(log: PromptLog, more: readonly RecordedPrompt[]): PromptLog {
  const all = [...log.prompts, ...more];
  let chars = log.chars + more.reduce((sum, { reply }) => sum + reply.length, 0);
  let gone = 0;
  const isTooMuch = (): boolean => {
    const kept = all.length - gone;
    return kept > KEPT_MAX || (chars > REPLIES_CHARS_MAX && kept > KEPT_MIN);
  };
  for (; isTooMuch(); gone += 1) chars -= all[gone]?.reply.length ?? 0;
  return { prompts: gone === 0 ? all : all.slice(gone), chars, isCut: log.isCut || gone > 0 };
}
