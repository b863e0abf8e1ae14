import type { PermissionMode } from '../../core/session.ts';

/** What Claude Code calls each mode, in a word that every version knows: the newer ones say `manual` for `default`. */
const WORDS: Readonly<Record<PermissionMode, string>> = {
  'ask-all': 'default',
  'deny-unlisted': 'dontAsk',
  edits: 'acceptEdits',
  plan: 'plan',
  auto: 'auto',
  none: 'bypassPermissions',
};

/** The mode that a word of Claude Code means. Nobody may do more than before: an unknown one asks about everything. */
export function modeOf(word: string): PermissionMode {
  const modes = Object.keys(WORDS) as PermissionMode[];
  return modes.find((mode) => WORDS[mode] === word) ?? 'ask-all';
}

/** The word for a mode, also for one that was stored when sessions had the words of Claude Code. */
export function modeWord(stored: string): string {
  const mode = Object.hasOwn(WORDS, stored) ? (stored as PermissionMode) : modeOf(stored);
  return WORDS[mode];
}
