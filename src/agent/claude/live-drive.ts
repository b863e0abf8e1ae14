import { withoutMentions } from '../seam/images.ts';
import type { LiveDrive, ScreenRead, ScreenShown, StateRead } from '../seam/live.ts';
import { type Dialect, homeOf } from './dialect.ts';
import { holdOf } from './holds.ts';
import { bare, isPlaceholder } from './prompt-text.ts';
import { readScreen } from './screen.ts';
import { readStateFile } from './state-file.ts';
import { isCommand } from './turns-drive.ts';
import { liveVerdict } from './verdict.ts';

/** What its input box treats as a command, in addition to slash commands. */
const TYPED_COMMAND = /^(exit|quit|:q!?|:wq!?)$/;

/** Claude Code with its full screen. */
export function claudeLive(dialect: Dialect): LiveDrive {
  return {
    isCommand: (text) => isCommand(text) || TYPED_COMMAND.test(text.trim()),
    verdict: liveVerdict,
    read: screenOf,
    state: { path: (env, pid) => `${homeOf(dialect, env)}/sessions/${pid}.json`, read: stateOf },
    // A backslash at the end turns Enter into a line break; trailing blanks are cut anyway.
    typed: (text) => (text.trimEnd().endsWith('\\') ? `${text.trimEnd()} ` : text),
    // The box also wraps the names of images.
    boxText: (text) => withoutMentions(bare(text).replaceAll(/\s+/g, '')),
    isPlaceholder,
    keys: { interrupt: ['Escape'], clear: clearKeys },
    quit: '/exit',
  };
}

/** Each key deletes one row of the box. Ctrl-C would be quicker, but two within a second exit the agent. */
function clearKeys(text: string): string[] {
  return Array<string>(Math.min(Math.ceil(text.length / ROW_CHARS_MIN) + text.split('\n').length + 1, 5_000)).fill(
    'C-u',
  );
}

const ROW_CHARS_MIN = 40;

function screenOf({ rows }: ScreenShown): ScreenRead {
  const screen = readScreen(rows);
  switch (screen.is) {
    case 'ready':
    case 'busy': {
      const tokens = screen.tokens === undefined ? {} : { tokens: screen.tokens };
      return { is: screen.is, draft: screen.draft ?? null, ...tokens };
    }
    case 'dialog':
      return { is: 'dialog', why: holdOf(screen.dialog ?? 'other') };
    case 'unknown':
      return { is: 'unknown' };
  }
}

function stateOf(text: string): StateRead | null {
  const file = readStateFile(text);
  if (file === null) return null;
  // A shell that still runs in the background does not block the next prompt.
  const is = file.status === 'shell' ? 'idle' : file.status;
  return { pid: file.pid, is, conversation: file.conversation };
}
