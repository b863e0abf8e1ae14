import type { PermissionMode } from '../../core/session.ts';
import type { FoundMode } from '../seam/conversations.ts';

/** What Claude Code calls each mode, in a word that every version knows. */
const WORDS: Readonly<Record<PermissionMode, string>> = {
  'ask-all': 'default',
  'deny-unlisted': 'dontAsk',
  edits: 'acceptEdits',
  plan: 'plan',
  auto: 'auto',
  none: 'bypassPermissions',
};

/** Words of newer versions for a mode that has another one above. */
const NEWER: Readonly<Record<string, PermissionMode>> = { manual: 'ask-all' };

/** A word that can stand on a command line as a value: never a flag, never empty. */
const PLAIN_WORD = /^[A-Za-z][\w-]{0,63}$/;

/**
 * The mode of a conversation by the word in its transcript; null: it does not say. A word that means none of our modes
 * may allow more or less than any of them, so it is kept as it is.
 */
export function modeFound(word: string | null): FoundMode | null {
  if (word === null || word === '') return null;
  if (!PLAIN_WORD.test(word))
    return { lost: `its permission mode, ${JSON.stringify(word.slice(0, 64))}, cannot be given to another process` };
  return { mode: modeOf(word) ?? 'ask-all', word };
}

/**
 * The word that a run is started with: the agent's own if it is known, else the one for our mode. Earlier versions
 * stored the words of Claude Code as the mode.
 */
export function modeWord(stored: string, own: string | null = null): string {
  if (own !== null) return own;
  if (Object.hasOwn(WORDS, stored)) return WORDS[stored as PermissionMode];
  const mode = modeOf(stored);
  if (mode !== null) return WORDS[mode];
  return PLAIN_WORD.test(stored) ? stored : WORDS['ask-all'];
}

function modeOf(word: string): PermissionMode | null {
  const modes = Object.keys(WORDS) as PermissionMode[];
  return modes.find((mode) => WORDS[mode] === word) ?? (Object.hasOwn(NEWER, word) ? (NEWER[word] ?? null) : null);
}
