/**
 * What an operation does. When the caller runs in a session, this decides whether it is allowed. `reads`: nothing
 * changes. `changes`: it changes the session it names, which must be the caller's own or one that it started.
 * `starts`: it starts a session, which the caller's session owns. `host`: it is not about one session; its handler
 * checks the caller.
 */
export type Does = 'reads' | 'changes' | 'starts' | 'host';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** call: one JSON answer. stream: JSON lines until it ends or the caller leaves. */
  readonly kind: 'call' | 'stream';
  readonly does: Does;
  /**
   * Whether a client may repeat the call after the connection broke, when the daemon may have carried it out already.
   * `by key`: only with a key, by which the daemon recognises the repeated call.
   */
  readonly repeat: 'always' | 'by key' | 'never';
  /**
   * It answers when something happens: at the latest after its `timeoutMs`, without one possibly never. `with follow`:
   * only when `follow` is given. Absent: it answers at once.
   */
  readonly waits?: 'always' | 'with follow';
  /** It gives a session less than a person, so the caller is identified although nothing changes. */
  readonly narrows?: true;
  /** It types on a screen, where it could answer a question that an approval is asked for. */
  readonly types?: true;
  readonly sentence: string;
}
