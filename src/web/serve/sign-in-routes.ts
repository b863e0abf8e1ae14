import type { IncomingMessage } from 'node:http';
import { GRANTS, type Grant } from '../../api/grants.ts';
import { FROM_SERVER, jsonFrame } from '../../api/live-frames.ts';
import { type DeviceView, PAGE_PATHS } from '../../api/page-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Connections } from '../live/connections.ts';
import { COMMAND_LINE, DISUSE } from '../sign-in/device-record.ts';
import type { Device } from '../sign-in/devices.ts';
import type { Peer } from '../sign-in/sign-in.ts';
import { actorName } from './calls.ts';
import { bodyOf } from './exchange.ts';
import { originForOthers } from './origins.ts';
import type { ServerParts } from './server-parts.ts';

/** A request, and where it is for. */
export interface AskedPage {
  readonly request: IncomingMessage;
  readonly origin: string;
  readonly path: string;
  readonly signal: AbortSignal;
}

type Given = Readonly<Record<string, unknown>>;
type Route = 'signIn' | 'signOut' | 'bearer' | 'ticket' | 'devices' | 'revoke' | 'link';
const ROUTES_OF_PAGE: readonly Route[] = ['signIn', 'signOut', 'bearer', 'ticket', 'devices', 'revoke', 'link'];

/** A key and a code, or a signature. */
const BODY_BYTES_MAX = 16 * 1024;
/** What nobody may do from inside a session. */
const REFUSED_INSIDE: Readonly<Partial<Record<Route, string>>> = {
  signIn: 'sign in',
  signOut: 'sign a device out',
  revoke: 'revoke a device',
  link: 'make a link',
};

/** Is it one of the paths about devices? */
export function isSignIn(path: string): boolean {
  return ROUTES_OF_PAGE.some((name) => PAGE_PATHS[name] === path);
}

/** Answers what is about devices. What makes or ends one is refused from inside a session. */
export async function answerSignIn(parts: ServerParts, connections: Connections, asked: AskedPage): Promise<unknown> {
  const { request, path, origin, signal } = asked;
  const { signIn, insiders } = parts;
  const route = ROUTES_OF_PAGE.find((name) => PAGE_PATHS[name] === path);
  const method = route === 'devices' ? 'GET' : 'POST';
  if (request.method !== method) throw new OutlastError('input_invalid', `${path} answers ${method}`);
  const peer: Peer = { address: request.socket.remoteAddress ?? '', signal };
  const { authorization } = request.headers;
  // Who is not signed in may say no more than it takes to sign in.
  if (route !== 'signIn' && route !== 'bearer') signIn.deviceOf(authorization);
  const given = method === 'POST' ? await bodyOf(request, BODY_BYTES_MAX) : {};
  if (route === 'bearer') return signIn.bearer(given, origin, peer);
  const refused = route === undefined ? undefined : REFUSED_INSIDE[route];
  if (refused !== undefined) await insiders.refuse(request.socket, refused);
  if (route === 'signIn') {
    const device = await signedIn(parts, given, peer);
    connections.tell(jsonFrame(FROM_SERVER.newcomer, 0, device));
    parts.log('a browser signed in', { device: device.id, name: device.name, grants: device.grants });
    return { device };
  }
  // Its device may have been revoked since: all of the above can take as long as the other side likes.
  const device = signIn.deviceOf(authorization);
  switch (route) {
    case 'ticket':
      return signIn.ticket(device);
    case 'devices':
      return { devices: signIn.list(device.id, (id) => connections.isConnected(id)).filter(visibleTo(device)) };
    case 'signOut':
      return { removed: signIn.devices.remove(device.id, actorName(device)) };
    case 'revoke':
      return { removed: signIn.devices.remove(idToRevoke(device, given), actorName(device)) };
    default:
      refuseWithout(device, 'admin', 'make a link');
      return newLink(parts, origin, device, given);
  }
}

/** Signs a browser in. One that cannot be recorded is not signed in. */
async function signedIn({ signIn, record }: ServerParts, given: Given, peer: Peer): Promise<DeviceView> {
  const { device, by } = await signIn.exchange(given, peer);
  try {
    await record.signedIn(device, by === null ? COMMAND_LINE : actorName({ name: by }));
  } catch (error) {
    signIn.devices.remove(device.id, DISUSE);
    throw error;
  }
  return device;
}

function newLink({ signIn, record, origins }: ServerParts, origin: string, device: Device, given: Given) {
  const wish = { origin: originForOthers(origins, origin), grants: grantsFrom(device, given), ms: msFrom(given) };
  return record.linked(signIn.link({ ...wish, by: device.id }), actorName(device));
}

function visibleTo({ id, grants }: Device): (other: { readonly id: string }) => boolean {
  return (other) => other.id === id || grants.includes('admin');
}

function idToRevoke(device: Device, { id }: Readonly<Record<string, unknown>>): string {
  if (id !== device.id) refuseWithout(device, 'admin', 'revoke another device');
  return String(id);
}

/** The grants of a new link: never more than the device has that asks for it. */
function grantsFrom(device: Device, { grants }: Readonly<Record<string, unknown>>): readonly Grant[] {
  const isList = Array.isArray(grants) && grants.length > 0 && grants.every((each) => Object.hasOwn(GRANTS, each));
  if (!isList) throw new OutlastError('input_invalid', `grants: a list of ${Object.keys(GRANTS).join(', ')}`);
  for (const each of grants) refuseWithout(device, each, 'give it to another');
  return grants;
}

function msFrom({ ms }: Readonly<Record<string, unknown>>): number | undefined {
  if (ms === undefined || (Number.isSafeInteger(ms) && Number(ms) > 0)) return ms as number | undefined;
  throw new OutlastError('input_invalid', 'ms: how long the link works, in milliseconds');
}

function refuseWithout(device: Device, grant: Grant, what: string): void {
  if (device.grants.includes(grant)) return;
  throw new OutlastError('grant_missing', `this device lacks the grant ${grant}, and may not ${what}`);
}
