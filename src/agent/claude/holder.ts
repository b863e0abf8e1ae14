import type { Listed, ProcessFacts } from '../seam/conversations.ts';

/** The program is among the first words: after an interpreter and its options. */
const PROGRAM_WORDS_MAX = 4;

/** True for Claude Code, or a program that behaves like it, however it was started. */
export function isWriter(program: readonly string[], argv: readonly string[]): boolean {
  const own = nameOf(program.at(-1) ?? '');
  return argv.slice(0, PROGRAM_WORDS_MAX).some((word) => nameOf(word) === own || word.includes('claude'));
}

/**
 * The process that has a conversation open: by its state file, by its arguments, or by the file that it writes to.
 * Claude Code opens its file only while it writes, and hides its arguments when it sets its title, so we need all
 * three.
 */
export function holderOf({ id, path }: Pick<Listed, 'id' | 'path'>, processes: readonly ProcessFacts[]): number | null {
  const isHolder = ({ argv, writes, claims }: ProcessFacts): boolean =>
    claims.includes(id) || writes.includes(path) || conversationIn(argv) === id;
  return processes.find(isHolder)?.pid ?? null;
}

const NAMES: Readonly<Record<string, readonly string[]>> = { resume: ['--resume', '-r'], own: ['--session-id'] };

/** The conversation of a command line. A fork is written under its own id, not under that of its origin. */
function conversationIn(argv: readonly string[]): string | null {
  // Our own command line names conversations too, but opens none.
  if (argv.slice(0, PROGRAM_WORDS_MAX).some((word) => /^outlast(\.[cm]?js)?$/.test(nameOf(word)))) return null;
  const own = wordAfter(argv, NAMES.own ?? []);
  return own ?? (argv.includes('--fork-session') ? null : wordAfter(argv, NAMES.resume ?? []));
}

function wordAfter(argv: readonly string[], names: readonly string[]): string | null {
  const at = argv.findIndex((word) => names.some((name) => word === name || word.startsWith(`${name}=`)));
  const word = argv[at];
  if (word === undefined) return null;
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (argv[at + 1] ?? null);
}

function nameOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
