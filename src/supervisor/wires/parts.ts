import type { Wire } from '../../agent/seam/server.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { RunRef } from '../../terminal/terminal.ts';

/** What a connection to a server process needs. `W`: its transport. */
export interface WireParts<W extends Wire = Wire> {
  readonly state: string;
  readonly ref: RunRef;
  readonly wire: W;
  /** The output of the run was ingested up to here. */
  readonly fromBytes: number;
  /** Something arrived, or the connection changed: there is something to read. */
  readonly onChange: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** The wire of this kind. */
export type WireOver<O extends Wire['over']> = Extract<Wire, { readonly over: O }>;
