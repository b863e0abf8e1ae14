import type { SessionRow, WatchLine } from '../../client/index.ts';

/** Whether the list is current. */
export type Connection =
  | { readonly is: 'connecting' | 'live' }
  /** Since this wall time. */
  | { readonly is: 'lost' | 'stopped'; readonly atMs: number };

/** The sessions as the daemon last reported them. */
export class LiveList {
  readonly rows = new Map<string, SessionRow>();
  connection: Connection = { is: 'connecting' };
  /** The sessions that were named since the list began; null: it is complete. */
  #named: Set<string> | null = new Set();

  take(line: WatchLine, nowMs: number): void {
    switch (line.is) {
      case 'row':
        this.#named?.add(line.row.id);
        this.rows.set(line.row.id, line.row);
        return;
      case 'gone':
        this.rows.delete(line.id);
        return;
      case 'complete':
        this.#complete();
        return;
      default:
        this.lose(line.is, nowMs);
    }
  }

  /** The list stays as it was, and begins again with the next connection. */
  lose(is: 'lost' | 'stopped', nowMs: number): void {
    this.#named = new Set();
    const { connection } = this;
    const atMs = 'atMs' in connection ? connection.atMs : nowMs;
    this.connection = { is, atMs };
  }

  #complete(): void {
    const named = this.#named;
    if (named !== null) for (const id of this.rows.keys()) if (!named.has(id)) this.rows.delete(id);
    this.#named = null;
    this.connection = { is: 'live' };
  }
}
