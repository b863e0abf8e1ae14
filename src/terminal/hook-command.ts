/** Where a hook leaves what it was told. */
export interface HookPlace {
  /** hook.sh or ask.sh, as it is installed. */
  readonly program: string;
  readonly spool: string;
  /** The folder that is watched, and the name of the note in it. */
  readonly news: string;
  readonly name: string;
}

/** The command line for a hook, with what it is told besides. Agents give it to a shell, which it takes the place of. */
export function hookCommand({ program, spool, news, name }: HookPlace, more: readonly string[] = []): string {
  const words = ['sh', program, spool, news, name, ...more];
  return `exec ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`;
}
