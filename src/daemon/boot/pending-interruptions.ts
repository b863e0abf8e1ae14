import type { BootView, ConversationView } from '../../api/contract-boot.ts';

interface Open {
  /** One that goes on and is interrupted again is another matter. */
  readonly bytes: number;
  /** Found after a boot or a sleep: it stays in reach however late somebody asks. */
  readonly stays: boolean;
}

/** What looks for interrupted conversations have left to a person. */
export class PendingInterruptions {
  readonly #open = new Map<string, Open>();

  /** Takes a look into account, the oldest first. One that somebody asked for may have been at a few of them only. */
  add({ why, conversations }: BootView): void {
    const isAsked = why === 'asked';
    if (!isAsked) this.#open.clear();
    for (const one of conversations) {
      const stays = !isAsked || this.#open.get(one.id)?.stays === true;
      if (isLeft(one)) this.#open.set(one.id, { bytes: one.bytes, stays });
      else this.#open.delete(one.id);
    }
  }

  /** Was something done in it, or is something left that was not before? */
  isChanged({ conversations }: BootView): boolean {
    const isNew = ({ id, bytes }: ConversationView): boolean => this.#open.get(id)?.bytes !== bytes;
    return conversations.some((one) => one.did !== 'nothing' || (isLeft(one) && isNew(one)));
  }

  /** What boots and sleeps have left, in one line; null: nothing. */
  words(): string | null {
    const count = [...this.#open.values()].filter(({ stays }) => stays).length;
    if (count === 0) return null;
    return `${count} ${count === 1 ? 'conversation was' : 'conversations were'} interrupted; ${HOW}`;
  }
}

const HOW = 'to go on: outlast boot --resume all';

/** What needs a person as a session of ours is told of as such. */
function isLeft({ verdict, did }: ConversationView): boolean {
  return verdict === 'interrupted' && did !== 'resumed' && did !== 'held';
}
