/** Where a hook leaves what it was told. */
export interface HookPlace {
  /** hook.sh or ask.sh, as it is installed. */
  readonly program: string;
  readonly spool: string;
  /** The folder that is watched, and the name of the note in it. */
  readonly news: string;
  readonly name: string;
}

/** The command line for a hook, with what it is told besides. Agents give it to a shell. */
export function hookCommand({ program, spool, news, name }: HookPlace, words: readonly string[] = []): string {
  return ['sh', program, spool, news, name, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}
