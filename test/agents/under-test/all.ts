import { CLAUDE_2_1_197, CLAUDE_NEWEST } from './claude.ts';
import { CODEX_0_166, CODEX_0_166_SCREEN, CODEX_0_169, CODEX_0_169_SCREEN } from './codex.ts';
import { COPILOT_1_0 } from './copilot.ts';
import { ECHO, ECHO_SERVER } from './echo.ts';
import { GEMINI_0_61 } from './gemini.ts';
import { GOOSE_1_52 } from './goose.ts';
import { OPENCODE_1_18 } from './opencode.ts';
import { PI_0_87 } from './pi.ts';
import { QWEN_0_24 } from './qwen.ts';
import { STAND_IN } from './stand-in.ts';

/** Every agent under test, by its name in the calls of test files. */
export const AGENTS_UNDER_TEST = {
  CLAUDE_2_1_197,
  CLAUDE_NEWEST,
  CODEX_0_166,
  CODEX_0_169,
  CODEX_0_166_SCREEN,
  CODEX_0_169_SCREEN,
  OPENCODE_1_18,
  COPILOT_1_0,
  PI_0_87,
  GOOSE_1_52,
  GEMINI_0_61,
  QWEN_0_24,
  STAND_IN,
  ECHO,
  ECHO_SERVER,
} as const;
