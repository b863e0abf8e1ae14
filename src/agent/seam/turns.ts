import type { Trouble } from '../../core/session.ts';
import type { Drive } from './drive.ts';
import type { HookReport } from './hooks.ts';
import type { LineReader } from './lines.ts';
import type { Piece } from './piece.ts';
import type { SaidUsed } from './usage.ts';

/** Runs an agent as one process per turn: the prompt on its standard input, a stream of lines on its output. */
export interface TurnsDrive extends Drive {
  /**
   * Reads the output of a run from its beginning, and reports what a live agent reports by hooks. A prompt that is
   * reported without its text is the one on standard input.
   */
  listener(run: number): Listener;
  /** Reads the output of a run: how its turn ended, as of a time and, when it is over, by its exit; null: not known. */
  readonly stream: LineReader<unknown, (nowMs: number, exit?: RunExit) => TurnEnd | null>;
  /** The part of a text that a line of its output adds; null: none. Absent: it prints whole texts only. */
  readonly piece?: (line: string) => Piece | null;
  /** The end of its error output tells why a turn failed. */
  readonly readsErrors?: true;
  /** Its output has a call only when it is over: that one runs is seen in the record. */
  readonly reportsCallsLate?: true;
}

/** Gets every line in order, and returns its reports. The same lines always give the same reports. */
export interface Listener {
  (line: string): readonly HookReport[];
  /** A line that shows an open connection, but no progress of the turn. */
  isKeepAlive?(line: string): boolean;
}

/** How the process of a turn ended, for an agent whose output does not say how the turn did. */
export interface RunExit {
  /** As a shell reports it: more than 128 for one that was killed. */
  readonly status: number;
  /** What it printed after its last line feed. */
  readonly rest: string;
  /** The end of its error output; empty unless `readsErrors`. */
  readonly errors: string;
}

/** How a turn ended, or that it has not. */
export interface TurnEnd {
  /** deferred: interrupted by a call that waits for a decision. */
  readonly turn: 'open' | 'closed' | 'failed' | 'interrupted' | 'deferred';
  /** The reply, or the error message. */
  readonly reply: string;
  /** Why it failed. */
  readonly trouble?: Trouble;
  /** Its usage, as far as it is reported. */
  readonly used?: SaidUsed;
  /** The ids of all calls that the output of a process shows, of a turn that is open; missing: not known. */
  readonly called?: readonly string[];
}
