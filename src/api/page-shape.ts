// What the web page and its server tell each other besides the operations.
import type { Grant } from './grants.ts';

/** Where the server answers what is not an operation. */
export const PAGE_PATHS = {
  /** Operations, at the paths of the contract. */
  api: '/api',
  signIn: '/web/sign-in',
  signOut: '/web/sign-out',
  bearer: '/web/bearer',
  ticket: '/web/ticket',
  devices: '/web/devices',
  revoke: '/web/revoke',
  link: '/web/link',
  live: '/web/live',
} as const;

/** What the key of a browser signs to get a bearer: for this origin, at this time, once. */
export function signedText(what: { origin: string; device: string; nonce: string; atMs: number }): string {
  return ['outlast web 1', what.origin, what.device, what.nonce, String(what.atMs)].join('\n');
}

/** This browser as the server knows it. */
export interface DeviceView {
  readonly id: string;
  readonly name: string;
  readonly grants: readonly Grant[];
}

/** A device in the list of all of them. */
export interface ListedDevice extends DeviceView {
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  /** Is it the one that asks? */
  readonly isSelf: boolean;
  /** It has a connection now. */
  readonly isConnected: boolean;
}

/** A one-time link for another browser. */
export interface LinkView {
  readonly url: string;
  readonly grants: readonly Grant[];
  readonly expiresAtMs: number;
}

/** The answer to a good signature. */
export interface BearerView {
  readonly token: string;
  readonly ms: number;
  readonly device: DeviceView;
}
