import type { RecordedPrompt } from './record.ts';

/** So many prompts are kept, and what was replied to them as long as that is not too much. */
const KEPT_MAX = 1_000;
const REPLIES_CHARS_MAX = 1024 * 1024;
/** These are kept whatever was replied. */
const KEPT_MIN = 8;

/** The prompts whose turns are over, oldest first. Never changed, only replaced. */
export interface PromptLog {
  readonly prompts: readonly RecordedPrompt[];
  /** The characters of what was replied. */
  readonly chars: number;
  /** Prompts were let go. */
  readonly isCut: boolean;
}

/** Before the first one. */
export const NO_PROMPTS: PromptLog = { prompts: [], chars: 0, isCut: false };

/** With some more at the end. When it gets too much, the oldest are let go. */
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
