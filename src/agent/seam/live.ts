import type { Hold } from '../../core/session.ts';
import type { Drive } from './drive.ts';
import type { Listener } from './turns.ts';

/** Runs an agent as one process with its own screen: prompts are pasted into its input box. */
export interface LiveDrive extends Drive {
  read(screen: ScreenShown): ScreenRead;
  /** The file in which the agent records its state; absent: it has none. */
  readonly state?: StateFile;
  /** A text as it has to be typed so that Enter submits it. */
  typed(text: string): string;
  /** A text as the input box shows it, without blanks, because the box wraps lines. */
  boxText(text: string): string;
  /** Does the input box show this placeholder instead of a long text? */
  isPlaceholder(draft: string, text: string): boolean;
  readonly keys: { readonly interrupt: readonly string[]; readonly clear: (text: string) => readonly string[] };
  /** What is typed to make it exit. */
  readonly quit: string;
  /** For an agent that runs no hooks of ours: what happens in it is read from its record while it works. */
  readonly follows?: RecordFollower;
}

/** Finds the record of a process, and reports what the process adds to it. */
export interface RecordFollower {
  /**
   * The conversation that a process has open, by the files that it writes; null: not known. `beginning` is the first
   * line of a file.
   */
  conversation(writes: readonly string[], beginning: (path: string) => string): string | null;
  /**
   * Reads the record from its beginning. Reports what was added after the turn with the id `upTo`; null: everything.
   */
  listener(run: number, upTo: string | null): Listener;
}

/** What is on a screen now. */
export interface ScreenShown {
  readonly rows: readonly string[];
  /** The terminal title that the program set; null: none. */
  readonly title: string | null;
  readonly cursor: { readonly row: number; readonly column: number };
}

/** What a screen says about its agent. */
export type ScreenRead =
  /** tokens: of the reply so far, where the screen counts them. */
  | { readonly is: 'ready' | 'busy'; readonly draft: string | null; readonly tokens?: number }
  | { readonly is: 'dialog'; readonly why: Hold }
  | { readonly is: 'unknown' };

/** Where the state file of a process is, and how it is read. */
export interface StateFile {
  path(env: Readonly<Record<string, string>>, pid: number): string;
  /** Null when it cannot be read. */
  read(text: string): StateRead | null;
}

/** The state that the agent recorded. */
export interface StateRead {
  readonly pid: number;
  readonly is: 'idle' | 'busy' | 'waiting' | 'unknown';
  readonly conversation: string | null;
}
