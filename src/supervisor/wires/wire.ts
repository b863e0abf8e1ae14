import type { Incoming, Outgoing } from '../../agent/seam/server.ts';

/** The connection to one server process. It moves messages without understanding them. */
export interface Wire {
  /** connecting: the process does not listen yet. closed: it never will again. */
  readonly state: 'connecting' | 'open' | 'closed';
  /** Counts the connections: each starts with the adapter's hello. 0: none yet. */
  readonly connection: number;
  /**
   * What this run was sent before this connection, oldest first. Only standard input is kept in a file; over the other
   * wires it is not known.
   */
  past(): Promise<readonly Outgoing[]>;
  /** Reads ahead in pieces, until something whole can be taken or there is no more. Missing: it comes by itself. */
  readOn?(): Promise<void>;
  /** What arrived after this position, in pieces; each with the position after it. */
  take(): readonly Taken[];
  /**
   * Sends a message. Resolves when it was sent; rejects with `NotSent` if no byte was, and with another error if that
   * is not known.
   */
  send(message: Outgoing): Promise<void>;
  /** Closes the connection. The process continues. */
  close(): void;
}

/** A message, and the position in the output up to which it was read: earlier output is no longer needed. */
export interface Taken {
  readonly message: Incoming;
  readonly atBytes: number;
}

/** No byte of a message was sent: it can be sent again. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** The read position of a wire that does not use the output. */
export const ALL_BYTES = Number.MAX_SAFE_INTEGER;
