import type { Socket } from 'node:net';
import type { CallerProof } from '../../api/contract-approvals.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Outlast } from '../../client/index.ts';
import { isAlive, peersOf } from './peer.ts';

/** A process inside a session, at the other end of a connection. */
export interface InsidePeer {
  readonly caller: CallerProof;
  readonly session: { readonly id: string; readonly name: string };
}

/** Finds out whether a connection comes from inside a session: then it may change nothing, whatever it has stolen. */
export class Insiders {
  readonly #outlast: Outlast;
  /** The processes of a connection are looked up once; where they run is asked each time. */
  readonly #peers = new WeakMap<Socket, Promise<readonly CallerProof[] | 'gone'>>();

  /** The server itself runs inside a session: then everybody does. */
  readonly self: InsidePeer | null;

  constructor(outlast: Outlast, self: InsidePeer | null) {
    this.#outlast = outlast;
    this.self = self;
  }

  async find(socket: Socket): Promise<InsidePeer | null> {
    if (this.self !== null) return this.self;
    const known = this.#peers.get(socket) ?? peersOf(socket);
    this.#peers.set(socket, known);
    const peers = await known;
    // Who sends something and is gone before it is answered must not be taken for somebody else.
    if (peers === 'gone') throw askerGone();
    for (const caller of peers) {
      const [session] = await this.#outlast.inside(caller);
      if (session !== undefined) return { caller, session };
      // The daemon looks at the process too: one that has died by then looks like one that runs nowhere.
      if (!isAlive(caller)) throw askerGone();
    }
    return null;
  }

  /** Refuses a connection from inside a session. */
  async refuse(socket: Socket, what: string): Promise<void> {
    const peer = await this.find(socket);
    if (peer !== null) throw insideRefused(peer, what);
  }
}

function askerGone(): OutlastError {
  return new OutlastError('decider_refused', 'the process that asked is gone: nobody can say where it ran');
}

/** The refusal of what comes from inside a session. */
export function insideRefused({ caller, session }: InsidePeer, what: string): OutlastError {
  const who = `process ${caller.pid} runs inside ${session.name}`;
  return new OutlastError('decider_refused', `${who} and may not ${what} through the web page`);
}
