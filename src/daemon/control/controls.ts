import { randomUUID } from 'node:crypto';
import { OutlastError } from '../../base/errors.ts';
import type { SessionId, Size, TerminalKind } from '../../core/session.ts';
import type { RunRef, Terminal } from '../../terminal/terminal.ts';

/** A person who types over a connection. */
export interface Control {
  readonly id: string;
  readonly ref: RunRef;
  /** Who it is, for people. */
  readonly by: string;
  /** The size that the terminal gets back; null: it was not changed. */
  sizeBefore: Size | null;
  /** The number of the next input: each is typed once, and in order. */
  next: number;
}

/** Who types over a connection, one for each session. Nothing here outlives the connection, nor the daemon. */
export class Controls {
  readonly #held = new Map<SessionId, Control>();

  /** Takes control; refused while somebody else has it. */
  take(ref: RunRef, by: string): Control {
    const other = this.#held.get(ref.session);
    if (other !== undefined) throw new OutlastError('session_busy', `${other.by} types at this terminal`);
    const control: Control = { id: randomUUID(), ref, by, sizeBefore: null, next: 0 };
    this.#held.set(ref.session, control);
    return control;
  }

  /** The control with this id; refused when it is over. */
  find(session: SessionId, id: string): Control {
    const control = this.#held.get(session);
    if (control?.id === id) return control;
    throw new OutlastError('not_supported', 'this connection has no control of the terminal any more');
  }

  release({ ref, id }: Control): void {
    if (this.#held.get(ref.session)?.id === id) this.#held.delete(ref.session);
  }

  /** How many people type over a connection. */
  count(session: SessionId): number {
    return this.#held.has(session) ? 1 : 0;
  }
}

/** Terminals that count who types over a connection among the people at them. */
export function withControls(
  terminals: Readonly<Record<TerminalKind, Terminal>>,
  controls: Pick<Controls, 'count'>,
): Readonly<Record<TerminalKind, Terminal>> {
  const counted = Object.entries(terminals).map(([kind, terminal]): [string, Terminal] => [
    kind,
    // Both: who is attached is known also while somebody types over a connection.
    { ...terminal, viewers: async (ref) => controls.count(ref.session) + (await terminal.viewers(ref)) },
  ]);
  return Object.fromEntries(counted) as Record<TerminalKind, Terminal>;
}
