/** A finished plan for one process. Plain data: it can be logged, compared and replayed. */
export interface Launch {
  readonly argv: readonly [string, ...string[]];
  /** The whole environment, not a patch. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** File mode mask of the caller, so that the command makes files as it would have there. */
  readonly umask: number;
  /**
   * 'open': writable while it runs. 'messages': what is appended to a file in the folder of the run; only a pipe can.
   * 'empty': end of file at once. A path: read from there.
   */
  readonly stdin: 'open' | 'messages' | 'empty' | { readonly path: string };
  /** Keep stderr apart from stdout. Only a pipe can. */
  readonly split: boolean;
  /** Files that it reads: written into the run's folder, for the user alone, before it starts. */
  readonly files?: readonly LaunchFile[];
  /** How the kernel keeps it within its memory. */
  readonly cap?: Cap;
}

/** A file of a launch, by its plain name. */
export interface LaunchFile {
  readonly name: string;
  readonly text: string;
}

/** A group of processes that it joins, or the words that start it in one, and what they need. */
export type Cap =
  | { readonly is: 'group'; readonly path: string }
  | { readonly is: 'scope'; readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };
