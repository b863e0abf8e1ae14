import type { LaunchFile } from '../../core/launch.ts';
import type { Environment } from './environment.ts';

/** The program of an agent: how to find it, what its command line accepts, and how to run it isolated from its user. */
export interface Program {
  /** Its name on the PATH, or a path. */
  readonly name: string;
  /** Each session names its own program, as the first of its arguments; then `name` is not one. */
  readonly isGiven?: true;
  readonly versionArgs: readonly string[];
  /** The oldest version that was tested. */
  readonly oldest: string;
  /** How to install it, in a sentence. */
  readonly install: string;
  /**
   * The files that may be the agent itself, if the program on the PATH is a script that starts it as its child: when
   * the script is killed, the agent runs on. `script`: its real path. Empty: this is the agent itself. A file that ends
   * in `.js` is run by the Node of the caller.
   */
  natives?(script: string): readonly string[];
  /** Who chooses the id of a new conversation: Outlast before the launch, or the agent. */
  readonly idsChosenBy: 'us' | 'agent';
  readonly models: Models;
  /** The thinking levels to choose from, lowest first; absent: none. */
  readonly thinking?: readonly string[];
  /** Files and folders, relative to the workspace, that the agent would act on. */
  readonly ownFiles: readonly string[];
  /** Why these arguments of a caller are refused, in a sentence each. */
  refusals(args: readonly string[], isGated: boolean): readonly string[];
  /** Why the user's own settings have to be changed first, in a sentence each. `text`: of a file; null: none. */
  settingsRefusals?(env: Readonly<Record<string, string>>, text: (path: string) => string | null): readonly string[];
  /** Which of its caller's environment variables its process gets. */
  readonly environment: Environment;
  /** Variables that isolate it from the network and from the user's settings; `model`: the URL of a model to use. */
  alone(home: string, model?: string): Readonly<Record<string, string>>;
  /** Arguments that make it use the model at this URL, if variables cannot. */
  aloneArgs?(model: string): readonly string[];
  /** Files in the home of `alone` that make it use the model at this URL, if neither can. */
  aloneFiles?(model: string): readonly LaunchFile[];
}

/** The models of an agent. */
export interface Models {
  readonly table: readonly ModelRow[];
  /** Does this look like the full id of a model? */
  isId(name: string): boolean;
}

/** A short name, the model id it stands for, and a description. */
export interface ModelRow {
  readonly name: string;
  readonly id: string;
  readonly about: string;
}
