import type { Dated, Listed, ProcessFacts } from '../seam/conversations.ts';
import { namedConversation } from '../seam/named-conversation.ts';

/** The program is among the first words: after an interpreter and its options. */
const PROGRAM_WORDS_MAX = 6;

/** True for Gemini CLI, however it was started. */
export function isWriter(argv: readonly string[]): boolean {
  return argv
    .slice(0, PROGRAM_WORDS_MAX)
    .some((word) => /(^|\/)gemini$/.test(word) || word.includes('/@google/gemini-cli/'));
}

/** The process that names a conversation in its arguments. None holds the file open. */
export function holderOf({ id }: Pick<Listed, 'id'>, processes: readonly ProcessFacts[]): number | null {
  return processes.find(({ argv }) => isWriter(argv) && namedConversation(argv) === id)?.pid ?? null;
}

/** A process that names no conversation may have opened any of its folder, on its screen or for an editor. */
export function mayHold({ path }: Dated, { argv, cwd }: ProcessFacts): boolean {
  if (!isWriter(argv) || argv.some(isOfOutlast) || namedConversation(argv) !== null) return false;
  return cwd === null || isOfProject(path, cwd);
}

/** A server that Outlast started. Which conversation it has is in the journal. */
function isOfOutlast(word: string): boolean {
  return /\/sessions\/[^/]+\/runs\/\d+\/files\/policy\.toml$/.test(word);
}

/** Does a file belong to the project of this folder? Projects are named after folders; a second one gets a number. */
function isOfProject(path: string, cwd: string): boolean {
  const [, project = ''] = /\/tmp\/([^/]+)\/chats\//.exec(path) ?? [];
  const last = cwd.slice(cwd.lastIndexOf('/') + 1).toLowerCase();
  const slug = last.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'project';
  return project === slug || (project.startsWith(`${slug}-`) && /^\d+$/.test(project.slice(slug.length + 1)));
}
