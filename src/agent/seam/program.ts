import type { Environment } from './environment.ts';

/** The program of an agent: how it is found, what its command line takes, and how it is run apart from its user. */
export interface Program {
  /** The name under which it is looked for on the PATH, or a path. */
  readonly name: string;
  readonly versionArgs: readonly string[];
  /** The oldest version that we know. */
  readonly oldest: string;
  /** A sentence that says how to install it. */
  readonly install: string;
  /** Who chooses the id of a new conversation: we do before the launch, or the agent itself. */
  readonly idsChosenBy: 'us' | 'agent';
  readonly models: Models;
  /** The levels of thinking that a caller can choose from, least first; absent: none can be chosen. */
  readonly thinking?: readonly string[];
  /** Files and folders, relative to the workspace, that the agent would act on. */
  readonly ownFiles: readonly string[];
  /** Why these arguments of a caller cannot be passed on, in a sentence each. */
  refusals(args: readonly string[], isGated: boolean): readonly string[];
  /** What its process is given of its caller's environment. */
  readonly environment: Environment;
  /** Variables that keep it from the network and from the user's settings; `model`: the URL of a model to use. */
  alone(home: string, model?: string): Readonly<Record<string, string>>;
}

/** The models of an agent. */
export interface Models {
  readonly table: readonly ModelRow[];
  /** Does this look like the full id of a model? */
  isId(name: string): boolean;
}

/** A short name that people use, the id of the model it means, and a word about it. */
export interface ModelRow {
  readonly name: string;
  readonly id: string;
  readonly about: string;
}
