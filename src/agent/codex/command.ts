/** The shell invocation that Codex puts before a command. */
const SHELL = /^(?:\/usr)?(?:\/bin\/)?(?:ba|z)?sh -l?c (.+)$/s;

/** A word without expansions, in single quotes, in double quotes, or in none. */
const SINGLE = /^'([^']*)'$/;
const DOUBLE = /^"((?:[^"\\$`]|\\["\\$`])*)"$/s;
const BARE = /^[\w@%+=:,./-]+$/;

/** The command in a line such as `/bin/bash -lc 'npm test'`. A line that is not certainly of this form is unchanged. */
export function unwrapped(line: string): string {
  const word = SHELL.exec(line)?.[1];
  if (word === undefined) return line;
  const double = DOUBLE.exec(word)?.[1]?.replaceAll(/\\(["\\$`])/g, '$1');
  return SINGLE.exec(word)?.[1] ?? double ?? (BARE.test(word) ? word : line);
}

/** The command in a list such as `["bash", "-lc", "npm test"]`; null: it is another program with arguments. */
export function unwrappedList(list: readonly unknown[]): string | null {
  const [shell, flag, command, ...rest] = list;
  const isShell = typeof shell === 'string' && /^(?:\/usr)?(?:\/bin\/)?(?:ba|z)?sh$/.test(shell);
  const isRun = isShell && (flag === '-c' || flag === '-lc') && rest.length === 0;
  return isRun && typeof command === 'string' ? command : null;
}
