/** How to find a value in the lines that a program prints: at a place of a JSON line, or by an expression. */
export type Finder =
  | { readonly json: string; readonly when?: Readonly<Record<string, string | number | boolean>> }
  | { readonly regex: string };

/** Kinds of trouble that a text can show. */
export const TROUBLES = ['limited', 'overloaded', 'login', 'billing', 'too-long'] as const;

/** A program of any kind as an agent, as the config describes it. */
export interface CliEntry {
  /** The command line of a turn. Without `{prompt_file}` in it the prompt is on standard input. */
  readonly turn?: readonly [string, ...string[]];
  /** The command line of every later turn; absent: that of the first one. */
  readonly resume?: readonly [string, ...string[]];
  /** What is added to it for a session with a model. */
  readonly model?: readonly string[];
  /** What is added to the command line of a turn for each image of its prompt. */
  readonly image?: readonly string[];
  /** Where the program says the id of the conversation; absent: we choose it. */
  readonly conversation?: Finder;
  /** Where the reply is; absent: all of standard output. */
  readonly reply?: Finder & { readonly join?: string };
  /** What says that the turn is over; absent: exit status 0. */
  readonly end?: Finder;
  /** What says that the turn failed, and why. */
  readonly failed?: Finder;
  /** Each is the last number found; the tokens are added up. */
  readonly usage?: { readonly tokens?: readonly Finder[]; readonly usd?: Finder };
  /** What kind of trouble the text of a failure shows. */
  readonly trouble?: Readonly<Partial<Record<(typeof TROUBLES)[number], string>>>;
  /** Where it writes the conversation down, and how that is read. */
  readonly transcript?: CliTranscript;
  /** How it is driven by its screen. */
  readonly live?: CliLive;
  /** The variables of the caller that it gets, in addition to the usual ones. */
  readonly env?: readonly string[];
  /** The arguments that make it print its version. */
  readonly version?: readonly string[];
  /** How to install it, in a sentence. */
  readonly install?: string;
}

/** A file of lines that a program writes its conversation to. */
export interface CliTranscript {
  /** With `{conversation}`, `{workspace}` and `{home}`. */
  readonly path: string;
  /** The lines of a prompt. Those in a row belong to one. */
  readonly prompt: Finder;
  /** Where the reply is; absent: all lines between two prompts. */
  readonly reply?: Finder & { readonly join?: string };
  /** What says that the turn is over; absent: a turn with a reply is. */
  readonly end?: Finder;
}

/** A program with a line at the bottom of its screen into which prompts are typed. */
export interface CliLive {
  /** The command line that starts it. */
  readonly start: readonly [string, ...string[]];
  /** The command line that starts it on a conversation; absent: the same. */
  readonly resume?: readonly [string, ...string[]];
  /** Matches the row that waits for input; its first group is what was typed. */
  readonly ready: string;
  /** Matches a row of a program at work; absent: it works whenever it does not wait. */
  readonly busy?: string;
  /** Matches a row of a question that a person has to answer. */
  readonly dialog?: string;
  /** Matches a text that the program takes for a command; absent: one that begins with /. */
  readonly command?: string;
  /** What is typed to make it exit; absent: /exit. */
  readonly quit?: string;
  /** The keys that interrupt a turn; absent: Ctrl-C. */
  readonly interrupt?: readonly string[];
  /** The keys that empty its input line; absent: Ctrl-U. */
  readonly clear?: readonly string[];
}
