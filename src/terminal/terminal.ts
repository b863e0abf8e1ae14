import type { Launch } from '../core/launch.ts';
import type { SessionId, Size, TerminalKind } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';

/** A place where one run's process lives. It outlives the daemon. */
export interface Terminal {
  readonly kind: TerminalKind;

  /**
   * Starts the launcher for this run. Opening a run that was opened before does nothing: the launcher's claim decides.
   */
  open(ref: RunRef, launch: Launch, size: Size): Promise<void>;

  /** What is there now. Gone is an answer, not an error. */
  look(ref: RunRef): Promise<TerminalSnapshot>;

  /** What a person would see. Works on an ended run too. */
  screen(ref: RunRef): Promise<Screen>;

  /** Sends input to the process. Never repeated: a failure half way is reported, not retried. */
  write(ref: RunRef, input: TerminalInput): Promise<Written>;

  resize(ref: RunRef, size: Size): Promise<void>;

  /** Brings a broken output sink back. What was printed meanwhile is lost, and the journal says so. */
  repairOutput(ref: RunRef): Promise<void>;

  /** Frees what the terminal holds for a run whose processes are gone. Twice is harmless. */
  release(ref: RunRef): Promise<void>;

  /** The command a person runs to watch or take over, and the key that leaves it running. */
  attach(ref: RunRef, readOnly?: boolean): Promise<Attach>;

  /** How many people could type into it right now. Who only watches does not count; where nothing is left, nobody. */
  viewers(ref: RunRef): Promise<number>;
}

/** Known before anything is opened, so that any later daemon can find it. */
export interface RunRef {
  readonly session: SessionId;
  readonly run: number;
}

export interface Screen {
  /** One entry per row, trailing blanks cut. */
  readonly rows: readonly string[];
  readonly columns: number;
  readonly cursor: { readonly row: number; readonly column: number };
  /** What the program wrote into the title of its terminal; null: nothing yet, or it has no terminal. */
  readonly title: string | null;
}

export type TerminalInput =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'eof' };

export interface Written {
  readonly bytes: number;
  /** Accepted, but not yet taken by the command. Whoever holds them outlives the daemon. */
  readonly pendingBytes: number;
  /** Not accepted, because the command does not read. Nobody keeps them: they can be sent again. */
  readonly refusedBytes?: number;
}

export interface Attach {
  readonly argv: readonly [string, ...string[]];
  readonly detach: string;
}
