/** What differs between Claude Code and a program that behaves like it. */
export interface Dialect {
  readonly name: string;
  /** The words of the command that starts it. */
  readonly program: readonly [string, ...string[]];
  /** Variables to set in addition. */
  readonly env: Readonly<Record<string, string>>;
  /** How to install it. */
  readonly install: string;
  /** Where it keeps its files unless the caller's environment says otherwise. */
  readonly home: (env: Readonly<Record<string, string>>) => string;
}

/** The folder where it keeps its files. */
export function homeOf({ home }: Dialect, env: Readonly<Record<string, string>>): string {
  return env.CLAUDE_CONFIG_DIR || home(env);
}
