/** The complete plan for one process. Plain data: it can be logged, compared and replayed. */
export interface Launch {
  readonly argv: readonly [string, ...string[]];
  /** The whole environment, not a patch. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The caller's umask, so that files are created as they would be there. */
  readonly umask: number;
  /**
   * 'open': writable while it runs. 'messages': what is appended to a file in the folder of the run; only for a pipe.
   * 'empty': end of file at once. A path: read from there.
   */
  readonly stdin: 'open' | 'messages' | 'empty' | { readonly path: string };
  /** Keeps stderr apart from stdout. Only for a pipe. */
  readonly split: boolean;
  /** Files for the process, written into a folder of the run with mode 0600 before it starts. */
  readonly files?: readonly LaunchFile[];
  /** How the kernel enforces its memory limit. */
  readonly cap?: Cap;
}

/** A file of a launch. `name`: its path in the folder of these files, such as `hooks/policy.json`. */
export type LaunchFile =
  | { readonly name: string; readonly text: string }
  /** A copy of another file, as it is when the process starts; without that file there is no copy. */
  | { readonly name: string; readonly copyOf: string }
  /** A link to another file or folder, which may not exist yet. `makes`: a missing folder is created there. */
  | { readonly name: string; readonly linkTo: string; readonly makes?: 'folder' };

/** A cgroup to join, or the command that starts the process in one, and its environment. */
export type Cap =
  | { readonly is: 'group'; readonly path: string }
  | { readonly is: 'scope'; readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> };
