import type { Dated, ProcessFacts } from '../seam/conversations.ts';
import { folderName, sessionHomes } from './sources.ts';

/** The program is among the first words: after an interpreter and its options. */
const PROGRAM_WORDS_MAX = 4;
/** The kernel and the file system do not agree on a moment to the millisecond. */
const SLACK_MS = 2_000;

/** True for pi, however it was started. Once it runs, it hides its arguments behind its name. */
export function isWriter(argv: readonly string[]): boolean {
  return argv
    .slice(0, PROGRAM_WORDS_MAX)
    .some((word) => /(^|\/)pi(-rpc)?$/.test(word) || word.includes('/pi-coding-agent/'));
}

/**
 * Could a process have a conversation open? It opens the file only to write a line, and its arguments are hidden, so
 * any pi in the folder of the conversation could. On its screen it can open one of another folder too, and be at work
 * on it: then it is older than the last line, and has the same home.
 */
export function mayHold({ path, home, agoMs }: Dated, { argv, cwd, ageMs, env }: ProcessFacts): boolean {
  if (!isWriter(argv)) return false;
  const [folder = ''] = path.slice(`${home}/sessions/`.length).split('/');
  const isFolderKnown = path.startsWith(`${home}/sessions/--`);
  if (cwd === null || (isFolderKnown && folderName(cwd) === folder)) return true;
  const isAtHome = env === null || sessionHomes(env).includes(home);
  return isAtHome && (!isFolderKnown || ageMs === null || ageMs + SLACK_MS > agoMs);
}
