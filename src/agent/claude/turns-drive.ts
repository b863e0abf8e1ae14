import type { TurnsDrive } from '../seam/turns.ts';
import { streamEnd } from './stream-end.ts';
import { claudeListener } from './stream-tools.ts';
import { turnsVerdict } from './verdict.ts';

/** Claude Code as a process for each turn. */
export const claudeTurns: TurnsDrive = {
  isCommand,
  verdict: turnsVerdict,
  listener: claudeListener,
  stream: streamEnd,
};

/** What it takes for a command wherever a prompt comes from. */
export function isCommand(text: string): boolean {
  return /^\s*[/!]/.test(text);
}
