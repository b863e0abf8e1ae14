import type { Clock } from '../../base/clock.ts';
import type { DeviceRecord } from '../sign-in/device-record.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import type { Assets } from './assets.ts';
import type { CallParts } from './calls.ts';

/** What the server of the page consists of. */
export interface ServerParts extends CallParts {
  readonly clock: Clock;
  readonly signIn: SignIn;
  /** Tells the daemon who got access and who lost it. */
  readonly record: DeviceRecord;
  readonly assets: Assets;
  /** The origin of each Host that is served; known when the port is. */
  origins: ReadonlyMap<string, string>;
  readonly log: (line: string, more?: Readonly<Record<string, unknown>>) => void;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
}
