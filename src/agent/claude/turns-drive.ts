import { messagePiece } from '../seam/piece.ts';
import type { TurnsDrive } from '../seam/turns.ts';
import { streamEnd } from './stream-end.ts';
import { claudeListener } from './stream-tools.ts';
import { turnsVerdict } from './verdict.ts';

/** Claude Code with one process for each turn. */
export const claudeTurns: TurnsDrive = {
  isCommand,
  verdict: turnsVerdict,
  listener: claudeListener,
  stream: streamEnd,
  piece: messagePiece,
};

/** True for a text that it treats as a command in any kind of input. */
export function isCommand(text: string): boolean {
  return /^\s*[/!]/.test(text);
}
