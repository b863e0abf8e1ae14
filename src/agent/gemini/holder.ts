import type { Dated, Listed, ProcessFacts } from '../seam/conversations.ts';

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
  return processes.find(({ argv }) => isWriter(argv) && conversationIn(argv) === id)?.pid ?? null;
}

/** A process that names no conversation may have opened any of its folder, on its screen or for an editor. */
export function mayHold({ path }: Dated, { argv, cwd }: ProcessFacts): boolean {
  if (!isWriter(argv) || argv.some(isOfOutlast) || conversationIn(argv) !== null) return false;
  return cwd === null || isOfProject(path, cwd);
}

/** A server that Outlast started. Which conversation it has is in the journal. */
function isOfOutlast(word: string): boolean {
  return /\/sessions\/[^/]+\/runs\/\d+\/files\/policy\.toml$/.test(word);
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conversation that the arguments name; null: a new one, or one that is named in another way or chosen later. */
function conversationIn(argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => /^(--session-id|--resume|-r)(=|$)/.test(word));
  const word = argv[at] ?? '';
  const value = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (argv[at + 1] ?? '');
  return at >= 0 && ID.test(value) ? value : null;
}

/** Does a file belong to the project of this folder? Projects are named after folders; a second one gets a number. */
function isOfProject(path: string, cwd: string): boolean {
  const [, project = ''] = /\/tmp\/([^/]+)\/chats\//.exec(path) ?? [];
  const last = cwd.slice(cwd.lastIndexOf('/') + 1).toLowerCase();
  const slug = last.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'project';
  return project === slug || (project.startsWith(`${slug}-`) && /^\d+$/.test(project.slice(slug.length + 1)));
}
