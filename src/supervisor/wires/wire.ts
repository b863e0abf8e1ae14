import type { Incoming, Outgoing } from '../../agent/seam/server.ts';

/** The connection to one server process. It moves messages and understands none. */
export interface Wire {
  /** connecting: the process does not listen yet. closed: it never will again. */
  readonly state: 'connecting' | 'open' | 'closed';
  /** Counts the connections: each begins with the adapter's hello. 0: there was none yet. */
  readonly connection: number;
  /**
   * What this run was sent before this connection, oldest first. Only standard input is kept in a file; over the other
   * wires nobody knows.
   */
  past(): Promise<readonly Outgoing[]>;
  /** Reads ahead in pieces, until something whole can be taken or there is no more. Missing: it comes by itself. */
  readOn?(): Promise<void>;
  /** What came in after this position, in pieces; each with the position that follows it. */
  take(): readonly Taken[];
  /**
   * Sends a message. Resolves when it has left us; rejects with `NotSent` when not one byte did, and with another error
   * when nobody knows.
   */
  send(message: Outgoing): Promise<void>;
  /** Lets go of the connection. The process goes on. */
  close(): void;
}

/** A message, and how far the output of the run was read with it: what is before that is not needed any more. */
export interface Taken {
  readonly message: Incoming;
  readonly atBytes: number;
}

/** Not one byte of a message has left us: it can be sent again. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** How far the output was read by a wire that needs none of it. */
export const ALL_BYTES = Number.MAX_SAFE_INTEGER;
