import type { Verdict } from '../../core/snapshot.ts';

/** What every drive of an agent has. */
export interface Drive {
  /** Would the agent read this text as a command instead of a prompt? */
  isCommand(text: string): boolean;
  /** False: a prompt cannot be sent into a running turn. */
  readonly steers?: false;
  /** What the end of a run means. */
  verdict(end: RunEnd): Verdict;
}

/** What is known of a run that has ended. */
export interface RunEnd {
  readonly status: number;
  /** Its terminal was gone before it ended. */
  readonly terminalGone: boolean;
  /** A person was attached, or typed into it, shortly before. */
  readonly personSeen: boolean;
  /** The reason that the agent gave for its exit; null: it gave none. */
  readonly lastWord: string | null;
}
