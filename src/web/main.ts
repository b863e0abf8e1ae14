import { join } from 'node:path';
import type { CallerProof } from '../api/contract-approvals.ts';
import { GRANTS, type Grant, parseGrants } from '../api/grants.ts';
import type { LinkView, ListedDevice } from '../api/page-shape.ts';
import { realClock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { makeFolder } from '../base/files.ts';
import { fileLog } from '../base/log.ts';
import { callerProof } from '../client/caller.ts';
import { callerEnvironment, connect } from '../client/connect.ts';
import { stateFolder } from '../client/state.ts';
import { askControl, serveControl } from './control.ts';
import { isEverywhere, type Listening, listeningOf, type Wish } from './options.ts';
import { listenOn } from './port.ts';
import { Assets } from './serve/assets.ts';
import { Insiders, insideRefused } from './serve/inside.ts';
import { originForOthers, originsOf } from './serve/origins.ts';
import { PageServer } from './serve/server.ts';
import type { ServerParts } from './serve/server-parts.ts';
import { COMMAND_LINE, DeviceRecord } from './sign-in/device-record.ts';
import { Devices, deviceMeant } from './sign-in/devices.ts';
import { SignIn } from './sign-in/sign-in.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The options from the command line. */
export interface WebOptions extends Wish {
  /** For a service: makes no link, and does not end when another server runs but fails, to be tried again. */
  readonly isService: boolean;
  /** Grants of the first link. */
  readonly allow: string | undefined;
  /** The folder with the files of the page. */
  readonly page: string;
  /** Stops the server. */
  readonly signal: AbortSignal;
  readonly onReady: (ready: Ready) => void;
}

/** How to reach the server. */
export interface Ready {
  readonly url: string;
  /** Null: it runs inside a session, where nobody may be signed in. */
  readonly link: LinkView | null;
  /** It was running already, elsewhere. */
  readonly isElsewhere: boolean;
  /** The session it runs in: then it is read-only. */
  readonly inside: string | null;
}

const ALL = Object.keys(GRANTS) as Grant[];

/** Serves the page until the signal fires. Returns what is wrong with the options, or null. */
export async function serveWeb(options: WebOptions): Promise<string | null> {
  const { env, onReady } = options;
  const grants = parseGrants(options.allow, ALL);
  const listening = listeningOf(options);
  const wrong = [grants, listening].find((each) => typeof each === 'string');
  if (typeof grants === 'string' || typeof listening === 'string') return String(wrong);
  const state = stateFolder(env);
  const wish = { caller: callerProof(env), grants: [...grants] };
  if (options.isService) {
    if ((await askControl(state, { is: 'devices', caller: wish.caller })) !== null)
      throw new OutlastError('not_supported', 'the web page is served already, by a server that is not the service');
    return serveUntil(options, state, listening, null);
  }
  const running = await askControl<LinkView>(state, { is: 'link', ...wish });
  if (running !== null) {
    onReady({ url: new URL(running.url).origin, link: running, isElsewhere: true, inside: null });
    return null;
  }
  return serveUntil(options, state, listening, wish.grants);
}

async function serveUntil(
  options: WebOptions,
  state: string,
  listening: Listening,
  grants: readonly Grant[] | null,
): Promise<null> {
  const { signal, onReady } = options;
  const { server, parts } = await build(options, state, listening);
  const folder = join(state, 'web');
  try {
    const port = await listenOn(server, folder, listening);
    parts.origins = originsOf(reachOf(listening, port));
    const control = await serveControl(state, controlOf(parts, server), guardOf(parts));
    const [url = ''] = parts.origins.values();
    const { self } = parts.insiders;
    const link = self === null && grants !== null ? parts.signIn.link({ origin: url, grants }) : null;
    if (link !== null) await parts.record.linked(link, COMMAND_LINE);
    onReady({ url, link, isElsewhere: false, inside: self?.session.name ?? null });
    await fired(signal);
    control.close();
  } finally {
    await server.close();
    parts.outlast.close();
  }
  return null;
}

async function build(options: WebOptions, state: string, { tls }: Listening) {
  const env = withoutSockets(options.env);
  const clock = realClock();
  const outlast = connect({ env });
  // Also creates the state folder.
  await outlast.daemonStatus();
  const folder = join(state, 'web');
  makeFolder(folder);
  const caller = callerProof(env);
  const [session] = await outlast.inside(caller);
  const log = fileLog(join(folder, 'log'), clock);
  const parts: ServerParts = {
    ...{ clock, outlast, tls, log },
    record: new DeviceRecord(outlast, log),
    insiders: new Insiders(outlast, session === undefined ? null : { caller, session }),
    own: () => ({ caller, env: callerEnvironment(env), umask: process.umask() }),
    signIn: new SignIn(folder, clock),
    assets: new Assets(options.page),
    origins: new Map(),
  };
  const server = new PageServer(parts);
  parts.signIn.devices.onGone = (device, by) => {
    log('a device ended', { device: device.id });
    server.revoked(device.id);
    void parts.record.signedOut(device, by);
  };
  return { server, parts };
}

/** What sessions get from us has nothing of the sockets that were passed to this process. */
function withoutSockets(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('LISTEN_')));
}

function reachOf({ tls, address, hosts, isBehindProxy }: Listening, port: number) {
  return { isTls: tls !== null, port, hosts, address: isBehindProxy || isEverywhere(address) ? null : address };
}

function controlOf({ signIn, origins, record }: ServerParts, { connections }: PageServer) {
  const list = (): ListedDevice[] => signIn.list(null, (id) => connections.isConnected(id));
  return {
    link: ({ grants, ms }: { grants: readonly Grant[]; ms?: number | undefined }) => {
      const [own = ''] = origins.values();
      return record.linked(signIn.link({ origin: originForOthers(origins, own), grants, ms }), COMMAND_LINE);
    },
    devices: list,
    revoke: (word: string): ListedDevice => {
      const device = deviceMeant(signIn.devices.all(), word);
      const found = list().find(({ id }) => id === device.id);
      signIn.devices.remove(device.id, COMMAND_LINE);
      return found ?? { ...device, isSelf: false, isConnected: false };
    },
  };
}

function guardOf({ outlast, insiders }: ServerParts) {
  return async (caller: CallerProof): Promise<void> => {
    const [session] = await outlast.inside(caller);
    const peer = insiders.self ?? (session === undefined ? null : { caller, session });
    if (peer !== null) throw insideRefused(peer, 'make links or revoke devices');
  };
}

function fired(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A link of the running server. */
export async function linkOf(env: Environment, allow: string | undefined, ms: number): Promise<LinkView> {
  const grants = parseGrants(allow, ['read', 'prompt', 'approve']);
  if (typeof grants === 'string') throw new OutlastError('input_invalid', grants);
  const asked = { is: 'link', caller: callerProof(env), grants: [...grants], ms } as const;
  const link = await askControl<LinkView>(stateFolder(env), asked);
  if (link === null)
    throw new OutlastError('not_supported', 'the web page is not served now: start it with `outlast web`');
  return link;
}

/** The devices, also when no server runs. */
export async function devicesOf(env: Environment): Promise<readonly ListedDevice[]> {
  const state = stateFolder(env);
  const asked = await askControl<{ devices: ListedDevice[] }>(state, { is: 'devices', caller: callerProof(env) });
  if (asked !== null) return asked.devices;
  return new Devices(join(state, 'web'), realClock())
    .all()
    .map((device) => ({ ...device, isSelf: false, isConnected: false }));
}

/** Revokes a device, also when no server runs: one that starts later does not know it any more. */
export async function revokeDevice(env: Environment, word: string): Promise<{ id: string; name: string }> {
  const state = stateFolder(env);
  const asked = { is: 'revoke', caller: callerProof(env), device: word } as const;
  const answered = await askControl<{ device: ListedDevice }>(state, asked);
  if (answered !== null) return answered.device;
  const outlast = connect({ env });
  const [session] = await outlast.inside();
  if (session !== undefined) throw insideRefused({ caller: asked.caller, session }, 'revoke devices');
  const devices = new Devices(join(state, 'web'), realClock());
  const device = deviceMeant(devices.all(), word);
  devices.remove(device.id, COMMAND_LINE);
  await outlast.approvals.recordDevice({
    ...{ did: 'signed_out', device: device.id, browser: device.name, grants: [...device.grants], by: COMMAND_LINE },
  });
  return device;
}
