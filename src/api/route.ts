/**
 * What an operation does, which decides what it may from inside of a session. `reads`: nothing changes. `changes`: the
 * session it names, which must be one that the caller's session started, or itself. `starts`: a session begins, which
 * the caller's session owns. `host`: it is not about one session; its handler says who may.
 */
export type Does = 'reads' | 'changes' | 'starts' | 'host';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** call: one JSON answer. stream: JSON lines until it ends or the caller leaves. */
  readonly kind: 'call' | 'stream';
  readonly does: Does;
  /**
   * May a client ask again when the connection broke and nobody knows whether the daemon heard it? `by key`: only
   * with a key, by which the daemon knows whether it happened.
   */
  readonly repeat: 'always' | 'by key' | 'never';
  readonly sentence: string;
}
