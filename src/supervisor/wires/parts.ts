import type { Wire } from '../../agent/seam/server.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { RunRef } from '../../terminal/terminal.ts';

/** What a connection to a server process needs. `W`: how its agent speaks. */
export interface WireParts<W extends Wire = Wire> {
  readonly state: string;
  readonly ref: RunRef;
  readonly wire: W;
  /** Up to here the output of the run was taken before. */
  readonly fromBytes: number;
  /** Something came in, or the connection changed: it is time to take. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The wire of this kind. */
export type WireOver<O extends Wire['over']> = Extract<Wire, { readonly over: O }>;
