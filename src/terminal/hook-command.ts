/** Where a hook leaves what it was told. */
export interface HookPlace {
  /** hook.sh, as it is installed. */
  readonly program: string;
  readonly spool: string;
  /** The folder that is watched, and the name of the note in it. */
  readonly news: string;
  readonly name: string;
}

/** The command line for a hook. Agents give it to a shell, which reads the program itself: one process less. */
export function hookCommand({ program, spool, news, name }: HookPlace): string {
  const [file, ...words] = [program, spool, news, name].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  // A program that is gone must not look like a hook that says no.
  return `[ -r ${file} ] || exit 0; set -- ${words.join(' ')}; . ${file}`;
}
