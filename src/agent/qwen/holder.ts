import type { Listed, ProcessFacts } from '../seam/conversations.ts';
import { namedConversation } from '../seam/named-conversation.ts';

/** The program is among the first words: after an interpreter and its options. */
const PROGRAM_WORDS_MAX = 4;

/** True for Qwen Code, however it was started. */
export function isWriter(argv: readonly string[]): boolean {
  return argv
    .slice(0, PROGRAM_WORDS_MAX)
    .some((word) => /(^|\/)qwen$/.test(word) || word.includes('/@qwen-code/qwen-code/'));
}

/**
 * The process that has a conversation open: by its own report, which every screen makes, by its arguments, or, if it
 * has no screen and its arguments name none, by its folder. The script that started a screen has that folder too, and
 * no report, so it must not count.
 */
export function holderOf({ id, path }: Pick<Listed, 'id' | 'path'>, processes: readonly ProcessFacts[]): number | null {
  const isHolder = ({ argv, claims, cwd }: ProcessFacts): boolean => {
    if (claims.includes(id)) return true;
    if (!isWriter(argv) || argv.includes('--fork-session')) return false;
    const named = namedConversation(argv);
    if (named !== null) return named === id;
    return argv.some(isScreenless) && cwd !== null && path.includes(`/projects/${projectOf(cwd)}/chats/`);
  };
  return processes.find(isHolder)?.pid ?? null;
}

/** An option of a run that has no screen. */
function isScreenless(word: string): boolean {
  return /^(-p|--prompt|-o|--output-format|--input-format)(=|$)/.test(word);
}

/** The name of the folder with the conversations of a workspace. */
function projectOf(cwd: string): string {
  return cwd.replaceAll(/[^a-zA-Z0-9]/g, '-');
}
