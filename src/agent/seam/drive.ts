import type { Verdict } from '../../core/snapshot.ts';

/** What every way to run an agent has. */
export interface Drive {
  /** Would the agent take this text for a command of its own instead of a prompt? */
  isCommand(text: string): boolean;
  /** What the end of a run means. */
  verdict(end: RunEnd): Verdict;
}

/** What is known of a run that has ended. */
export interface RunEnd {
  readonly status: number;
  /** Its terminal was gone before it. */
  readonly terminalGone: boolean;
  /** A person was attached, or typed into it, shortly before. */
  readonly personSeen: boolean;
  /** Why the agent said that it exits; null: it did not say. */
  readonly lastWord: string | null;
}
