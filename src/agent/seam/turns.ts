import type { Trouble } from '../../core/session.ts';
import type { Drive } from './drive.ts';
import type { HookReport } from './hooks.ts';
import type { LineReader } from './lines.ts';
import type { SaidUsed } from './usage.ts';

/** Runs an agent as one process per turn: the prompt on its standard input, a stream of lines on its output. */
export interface TurnsDrive extends Drive {
  /** Reads the output of a run from its beginning, for what a live agent reports by hooks. */
  listener(run: number): Listener;
  /** Reads the output of a run: how its turn ended, as of a time; null while it says nothing final. */
  readonly stream: LineReader<unknown, (nowMs: number) => TurnEnd | null>;
}

/** Is given every line in turn, and says what it reports. The same lines always give the same reports. */
export interface Listener {
  (line: string): readonly HookReport[];
  /** A line that only shows that the connection is there, and not that the turn makes progress. */
  isKeepAlive?(line: string): boolean;
}

/** How a turn ended, or that it did not. */
export interface TurnEnd {
  /** deferred: put off in the middle, until somebody decides about a call. */
  readonly turn: 'open' | 'closed' | 'failed' | 'interrupted' | 'deferred';
  /** The reply, or the words of the error. */
  readonly reply: string;
  /** Why it failed. */
  readonly trouble?: Trouble;
  /** What it used up, as far as it says. */
  readonly used?: SaidUsed;
}
