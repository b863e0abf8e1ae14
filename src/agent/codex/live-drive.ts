import type { LiveDrive } from '../seam/live.ts';
import { codexFollower } from './follower.ts';
import { asPasted } from './pasted.ts';
import { readScreen } from './screen.ts';
import { codexScreenVerdict } from './verdict.ts';

/** Codex with its full screen, without the server that it would share with other screens. */
export const codexLive: LiveDrive = {
  isCommand: () => false,
  // What is typed into a turn waits for its next call, and Escape would send it instead of ending the turn.
  steers: false,
  verdict: codexScreenVerdict,
  read: readScreen,
  typed,
  boxText: (text) => text.replaceAll(/\s+/g, ''),
  isPlaceholder,
  keys: { interrupt: ['Escape'], clear: clearKeys },
  quit: '/quit',
  follows: codexFollower,
};

/**
 * A blank before it makes a text that begins like a command a plain text. One behind it closes the list that opens
 * after `@` or `$`, in which Enter would choose. Codex removes both.
 */
function typed(text: string): string {
  return ` ${text.trim()} `;
}

const PLACEHOLDER = /^\[Pasted Content (\d+) chars\]$/;

/** True for `[Pasted Content 2010 chars]`, if the text has as many characters when it is pasted. */
function isPlaceholder(draft: string, text: string): boolean {
  const count = PLACEHOLDER.exec(draft.trim())?.[1];
  if (count === undefined) return false;
  return Number(count) === [...asPasted(typed(text))].length;
}

/** Each key deletes the text before the cursor in its row, or the line feed before it. */
function clearKeys(text: string): string[] {
  return Array<string>(Math.min(2 * text.split('\n').length + 2, KEYS_MAX)).fill('C-u');
}

const KEYS_MAX = 5_000;
