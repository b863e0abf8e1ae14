import type { Dated, Listed, ProcessFacts } from '../seam/conversations.ts';
import { asText } from '../seam/json.ts';
import { rowFacts } from './store.ts';

/** The program is among the first words: after an interpreter and its options. */
const PROGRAM_WORDS_MAX = 4;
/** Options that make it a server, which can open any conversation. */
const SERVING = /^--(port|hostname|mdns|attach)(=|$)/;

/** True for OpenCode, however it was started. */
export function isWriter(argv: readonly string[]): boolean {
  return programAt(argv) >= 0;
}

function programAt(argv: readonly string[]): number {
  return argv.slice(0, PROGRAM_WORDS_MAX).findLastIndex((word) => /(^|\/)opencode(-cli)?(\.exe)?$/.test(word));
}

/** The process whose arguments name a conversation. A client of a server names one too, but only the server writes. */
export function holderOf({ id }: Pick<Listed, 'id'>, processes: readonly ProcessFacts[]): number | null {
  const isHolder = ({ argv }: ProcessFacts): boolean =>
    isWriter(argv) && namedIn(argv.slice(programAt(argv) + 1)) === id;
  return processes.find(isHolder)?.pid ?? null;
}

/**
 * Could a process have a conversation open? It has the database open, which does not say for what. A run without a
 * screen has one conversation, of its folder; a screen can open all of its project; a server can open any.
 */
export function mayHold({ id, path, stored }: Dated, { argv, cwd, writes }: ProcessFacts): boolean {
  if (!isWriter(argv) || stored === undefined) return false;
  const words = argv.slice(programAt(argv) + 1);
  // The client of a server, which may be one of ours.
  if (words[0] === 'attach') return true;
  if (cwd !== null && !writes.includes(path)) return false;
  if (cwd === null || words.some((word) => SERVING.test(word))) return true;
  const { directory, worktree } = rowFacts(stored.row);
  if (words[0] === 'run') {
    const named = namedIn(words);
    if (named !== null) return named === id;
    return words.some((word) => /^(--continue|-c|--dir|--session|-s|--fork)(=|$)/.test(word)) || cwd === directory;
  }
  const isScreen = words[0] === undefined || words[0].startsWith('-') || /[./]/.test(words[0]);
  const folders = [directory, worktree].flatMap((folder) => asText(folder) ?? []);
  return !isScreen || folders.some((folder) => isIn(cwd, folder) || isIn(folder, cwd));
}

/** The conversation that it goes on with; null: none, or a copy of one. */
function namedIn(words: readonly string[]): string | null {
  if (words[0] === 'attach' || words.includes('--fork')) return null;
  const at = words.findIndex((word) => /^(--session|-s)(=|$)/.test(word));
  const word = words[at] ?? '';
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (words[at + 1] ?? '');
  return at >= 0 && value.startsWith('ses_') ? value : null;
}

function isIn(folder: string, parent: string): boolean {
  return folder === parent || folder.startsWith(parent.endsWith('/') ? parent : `${parent}/`);
}
