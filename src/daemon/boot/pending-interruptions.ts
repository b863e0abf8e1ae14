import type { BootView, ConversationView } from '../../api/contract-boot.ts';

interface Open {
  /** The size of its file: a conversation that continues and is interrupted again counts as new. */
  readonly bytes: number;
  /** Found after a boot or a sleep: it stays in range however late it is resumed. */
  readonly stays: boolean;
}

/** The interruptions that scans have found and that wait for a person. */
export class PendingInterruptions {
  readonly #open = new Map<string, Open>();

  /** Adds a scan, the oldest first. A requested scan may have covered only a few conversations. */
  add({ why, conversations }: BootView): void {
    const isAsked = why === 'asked';
    if (!isAsked) this.#open.clear();
    for (const one of conversations) {
      const stays = !isAsked || this.#open.get(one.id)?.stays === true;
      if (isLeft(one)) this.#open.set(one.id, { bytes: one.bytes, stays });
      else this.#open.delete(one.id);
    }
  }

  /** True when the scan resumed something, or found a pending interruption that was not known. */
  isChanged({ conversations }: BootView): boolean {
    const isNew = ({ id, bytes }: ConversationView): boolean => this.#open.get(id)?.bytes !== bytes;
    return conversations.some((one) => one.did !== 'nothing' || (isLeft(one) && isNew(one)));
  }

  /** The pending interruptions of boots and sleeps in one line; null: none. */
  words(): string | null {
    const count = [...this.#open.values()].filter(({ stays }) => stays).length;
    if (count === 0) return null;
    return `${count} ${count === 1 ? 'conversation was' : 'conversations were'} interrupted; ${HOW}`;
  }
}

const HOW = 'to continue: outlast boot --resume all';

/** True for an interruption that is pending. One that became a session is reported as a session. */
function isLeft({ verdict, did }: ConversationView): boolean {
  return verdict === 'interrupted' && did !== 'resumed' && did !== 'held';
}
