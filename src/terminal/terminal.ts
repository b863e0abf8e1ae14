import type { Launch } from '../core/launch.ts';
import type { SessionId, Size, TerminalKind } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import type { StyledScreen, StyledWish } from './styled.ts';

/** A place where one run's process lives. It outlives the daemon. */
export interface Terminal {
  readonly kind: TerminalKind;

  /**
   * Starts the launcher for this run. Opening a run that was opened before does nothing: the launcher's claim decides.
   */
  open(ref: RunRef, launch: Launch, size: Size): Promise<void>;

  /** The current state. `gone` is an answer, not an error. */
  look(ref: RunRef): Promise<TerminalSnapshot>;

  /** What a person would see. Works for an ended run too. */
  screen(ref: RunRef): Promise<Screen>;

  /** What a person would see as it looks: with colours, the cursor and the history above it. */
  styled(ref: RunRef, wish: StyledWish): Promise<StyledScreen>;

  /** Sends input to the process. Never repeated: a partial failure is reported, not retried. */
  write(ref: RunRef, input: TerminalInput): Promise<Written>;

  resize(ref: RunRef, size: Size): Promise<void>;

  /** Restarts a broken output sink. What was printed in the meantime is lost, and the journal says so. */
  repairOutput(ref: RunRef): Promise<void>;

  /** Frees what the terminal holds for a run whose processes are gone. Calling it twice is harmless. */
  release(ref: RunRef): Promise<void>;

  /** The command with which a person watches or takes over, and the key that leaves it running. */
  attach(ref: RunRef, readOnly?: boolean): Promise<Attach>;

  /** How many people could type into it right now. Read-only viewers do not count; a terminal that is gone has none. */
  viewers(ref: RunRef): Promise<number>;
}

/** Known before anything is opened, so that any later daemon can find the run. */
export interface RunRef {
  readonly session: SessionId;
  readonly run: number;
}

export interface Screen {
  /** One entry per row, trailing blanks cut. */
  readonly rows: readonly string[];
  readonly columns: number;
  readonly cursor: { readonly row: number; readonly column: number };
  /** The title that the program has set on its terminal; null: none yet, or it has no terminal. */
  readonly title: string | null;
}

export type TerminalInput =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'keys'; readonly keys: readonly string[] }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'eof' };

export interface Written {
  readonly bytes: number;
  /** Accepted, but not yet read by the command. The process that holds them outlives the daemon. */
  readonly pendingBytes: number;
  /** Not accepted, because the command does not read. They are not stored: the caller can send them again. */
  readonly refusedBytes?: number;
}

export interface Attach {
  readonly argv: readonly [string, ...string[]];
  readonly detach: string;
}
