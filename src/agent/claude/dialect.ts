/** What differs between Claude Code and a program that behaves like it. */
export interface Dialect {
  readonly name: string;
  /** The words that start it. */
  readonly program: readonly [string, ...string[]];
  /** Variables that it needs on top. */
  readonly env: Readonly<Record<string, string>>;
  /** How to get it. */
  readonly install: string;
  /** Where it keeps its files when the caller does not say. */
  readonly home: (env: Readonly<Record<string, string>>) => string;
}

/** The folder in which it keeps its files. */
export function homeOf({ home }: Dialect, env: Readonly<Record<string, string>>): string {
  return env.CLAUDE_CONFIG_DIR || home(env);
}
