import type { PermissionMode } from '../../core/session.ts';

/** Claude Code's name of each mode, one that every version knows: newer ones say `manual` for `default`. */
const WORDS: Readonly<Record<PermissionMode, string>> = {
  'ask-all': 'default',
  'deny-unlisted': 'dontAsk',
  edits: 'acceptEdits',
  plan: 'plan',
  auto: 'auto',
  none: 'bypassPermissions',
};

/** The mode of a Claude Code name. An unknown one asks about everything, so that no agent gains permissions. */
export function modeOf(word: string): PermissionMode {
  const modes = Object.keys(WORDS) as PermissionMode[];
  return modes.find((mode) => WORDS[mode] === word) ?? 'ask-all';
}

/** Claude Code's name of a mode, also of one that was stored when sessions used the names of Claude Code. */
export function modeWord(stored: string): string {
  const mode = Object.hasOwn(WORDS, stored) ? (stored as PermissionMode) : modeOf(stored);
  return WORDS[mode];
}
