import { quotedWord } from '../base/shell-word.ts';

/** Where a hook writes its payload. */
export interface HookPlace {
  /** hook.sh or ask.sh, as it is installed. */
  readonly program: string;
  readonly spool: string;
  /** The folder that the daemon watches, and the name of the report in it. */
  readonly reports: string;
  readonly name: string;
}

/** The command line for a hook. Agents give it to a shell, which sources the program: one process less. */
export function hookCommand(place: HookPlace): string {
  const [file, ...words] = quotedOf(place);
  // A missing program must not look like a hook that denies.
  return `[ -r ${file} ] || exit 0; set -- ${words.join(' ')}; . ${file}`;
}

/** What a hook needs to deliver an update to its agent. */
export interface UpdateHook {
  /** The file with the staged update. */
  readonly update: string;
  readonly before: string;
  readonly after: string;
  /** A payload that contains this text is not the agent's own. */
  readonly others: string;
  /** It reports nothing else: without a staged update it exits at once. */
  readonly isOnly: boolean;
}

/** The shell command for a hook that delivers a staged update to the agent. */
export function updateCommand(place: HookPlace, { update, before, after, others, isOnly }: UpdateHook): string {
  const [file, ...words] = [...quotedOf(place), ...[update, before, after, others].map(quotedWord)];
  const first = isOnly ? `[ -e ${quotedWord(update)} ] || exit 0; ` : '';
  return `${first}[ -r ${file} ] || exit 0; set -- ${words.join(' ')}; . ${file}`;
}

/**
 * The shell command for a hook that asks about a tool call, with further arguments. A missing program denies the call.
 */
export function askCommand(place: HookPlace, more: readonly string[]): string {
  const [file, ...words] = quotedOf(place);
  const gone = `{ echo 'Outlast could not be asked: its hook program is missing.' >&2; exit 2; }`;
  return `[ -r ${file} ] || ${gone}; set -- ${[...words, ...more.map(quotedWord)].join(' ')}; . ${file}`;
}

function quotedOf({ program, spool, reports, name }: HookPlace): string[] {
  return [program, spool, reports, name].map(quotedWord);
}
