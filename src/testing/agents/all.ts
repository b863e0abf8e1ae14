import type { GoldenSet } from '../agent-suite.ts';
import { CLAUDE_CASES } from './claude.ts';
import { CODEX_CASES } from './codex.ts';
import { COPILOT_CASES } from './copilot.ts';
import { ECHO_CASES } from './echo.ts';
import { GEMINI_CASES } from './gemini.ts';
import { GOOSE_CASES } from './goose.ts';
import { OPENCODE_CASES } from './opencode.ts';
import { PI_CASES } from './pi.ts';
import { QWEN_CASES } from './qwen.ts';

/** The golden cases of every agent that has some. */
export const GOLDEN_SETS: readonly GoldenSet[] = [
  CLAUDE_CASES,
  CODEX_CASES,
  COPILOT_CASES,
  ECHO_CASES,
  GEMINI_CASES,
  GOOSE_CASES,
  OPENCODE_CASES,
  PI_CASES,
  QWEN_CASES,
];
