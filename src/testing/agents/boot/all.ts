import { claudeBoots } from './claude.ts';
import { codexBoots } from './codex.ts';
import { copilotBoots } from './copilot.ts';
import { geminiBoots } from './gemini.ts';
import { opencodeBoots } from './opencode.ts';
import { piBoots } from './pi.ts';
import { qwenBoots } from './qwen.ts';
import type { BootSamples } from './samples.ts';

/** Every agent whose conversations a boot finds. */
export const BOOT_SAMPLES: readonly BootSamples[] = [
  claudeBoots,
  codexBoots,
  qwenBoots,
  copilotBoots,
  geminiBoots,
  piBoots,
  opencodeBoots,
];
