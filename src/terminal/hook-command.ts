import { quotedWord } from '../base/shell-word.ts';

/** Where a hook leaves what it was told. */
export interface HookPlace {
  /** hook.sh or ask.sh, as it is installed. */
  readonly program: string;
  readonly spool: string;
  /** The folder that is watched, and the name of the note in it. */
  readonly reports: string;
  readonly name: string;
}

/** The command line for a hook. Agents give it to a shell, which reads the program itself: one process less. */
export function hookCommand(place: HookPlace): string {
  const [file, ...words] = quotedOf(place);
  // A program that is gone must not look like a hook that says no.
  return `[ -r ${file} ] || exit 0; set -- ${words.join(' ')}; . ${file}`;
}

/** What a hook says when something is laid out for its agent. */
export interface Telling {
  /** The file in which it is. */
  readonly update: string;
  readonly before: string;
  readonly after: string;
  /** A payload with this in it is not the agent's own. */
  readonly others: string;
  /** Nothing else is to be reported: without an offer it is gone at once. */
  readonly isOnly: boolean;
}

/** The shell command for a hook that delivers a queued update to the agent. */
export function tellCommand(place: HookPlace, { update, before, after, others, isOnly }: Telling): string {
  const [file, ...words] = [...quotedOf(place), ...[update, before, after, others].map(quotedWord)];
  const first = isOnly ? `[ -e ${quotedWord(update)} ] || exit 0; ` : '';
  return `${first}[ -r ${file} ] || exit 0; set -- ${words.join(' ')}; . ${file}`;
}

/**
 * The shell command for a hook that asks about a tool call, with further arguments. A missing program denies the call.
 */
export function askCommand(place: HookPlace, more: readonly string[]): string {
  const [file, ...words] = quotedOf(place);
  const gone = `{ echo 'Outlast could not be asked: its program is gone.' >&2; exit 2; }`;
  return `[ -r ${file} ] || ${gone}; set -- ${[...words, ...more.map(quotedWord)].join(' ')}; . ${file}`;
}

function quotedOf({ program, spool, reports, name }: HookPlace): string[] {
  return [program, spool, reports, name].map(quotedWord);
}
