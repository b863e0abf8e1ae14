import type { Grant } from '../../api/grants.ts';
import type { BearerView, DeviceView, LinkView, ListedDevice } from '../../api/page-shape.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { type Device, Devices } from './devices.ts';
import { keyFrom, type Proof, Proofs } from './proof.ts';
import { Secrets } from './secret.ts';
import { Slowdown } from './slowdown.ts';

const LINK_MS = 60_000;
/** A link that is read by the camera of another device. */
const LINK_MS_MAX = 5 * 60_000;
const BEARER_MS = 15 * 60_000;
const TICKET_MS = 30_000;
const LINKS_MAX = 32;
const BEARERS_MAX = 10_000;
const TICKETS_MAX = 1_000;

/** A new link: for whom, and for how long. */
export interface LinkWish {
  /** The origin that it leads to. */
  readonly origin: string;
  readonly grants: readonly Grant[];
  readonly ms?: number | undefined;
  /** The device that makes it; without one, a person at the command line does. */
  readonly by?: string;
}

interface Link {
  readonly grants: readonly Grant[];
  readonly by: string | null;
}

/** A browser that signed in, and the device whose link it used; null: one of the command line. */
export interface SignedIn {
  readonly device: DeviceView;
  readonly by: string | null;
}

/** Who tries to sign in: where it comes from, for the slowdown. */
export interface Peer {
  readonly address: string;
  readonly signal: AbortSignal;
}

/** Links, devices, bearers and tickets. Only devices outlive the process. */
export class SignIn {
  readonly devices: Devices;
  readonly #clock: Clock;
  readonly #links: Secrets<Link>;
  readonly #bearers: Secrets<string>;
  readonly #tickets: Secrets<string>;
  readonly #proofs: Proofs;
  readonly #slowdown: Slowdown;

  constructor(folder: string, clock: Clock) {
    this.#clock = clock;
    this.devices = new Devices(folder, clock);
    this.#links = new Secrets(clock, LINKS_MAX);
    this.#bearers = new Secrets(clock, BEARERS_MAX);
    this.#tickets = new Secrets(clock, TICKETS_MAX);
    this.#proofs = new Proofs(clock);
    this.#slowdown = new Slowdown(clock);
  }

  /** A link that signs one browser in. The code is in the fragment, which a browser sends to nobody. */
  link({ origin, grants, ms = LINK_MS, by }: LinkWish): LinkView {
    const lastsMs = Math.min(Math.max(ms, 1_000), LINK_MS_MAX);
    const code = this.#links.issue({ grants, by: by ?? null }, lastsMs);
    return { url: `${origin}/#code=${code}`, grants, expiresAtMs: this.#clock.wallMs() + lastsMs };
  }

  /** Exchanges the code of a link for a device with this key. */
  async exchange(given: Readonly<Record<string, unknown>>, peer: Peer): Promise<SignedIn> {
    const key = keyFrom(given.key);
    const name = nameFrom(given.name);
    const link = typeof given.code === 'string' ? this.#links.take(given.code) : null;
    if (link === null) return this.#fail(peer, new OutlastError('link_spent', 'the link was used, or has expired'));
    const by = link.by === null ? null : (this.devices.find(link.by)?.name ?? null);
    return { device: viewOf(this.devices.add({ name, grants: link.grants, key })), by };
  }

  /** A bearer for a device that proves with its key who it is. */
  async bearer(given: Readonly<Record<string, unknown>>, origin: string, peer: Peer): Promise<BearerView> {
    const proof = proofFrom(given);
    const device = proof === null ? null : this.devices.find(proof.device);
    if (proof === null || device === null || !this.#proofs.isGood(device, origin, proof))
      return this.#fail(peer, new OutlastError('signed_out', 'this browser is not signed in'));
    this.devices.seen(device.id);
    return { token: this.#bearers.issue(device.id, BEARER_MS), ms: BEARER_MS, device: viewOf(device) };
  }

  /** The device of an Authorization header. */
  deviceOf(authorization: string | undefined): Device {
    const token = /^Bearer ([\w-]{22})$/.exec(authorization ?? '')?.[1];
    const device = this.#deviceBy(token === undefined ? null : this.#bearers.find(token));
    if (device === null) throw new OutlastError('signed_out', 'this browser is not signed in');
    this.devices.seen(device.id);
    return device;
  }

  /** Opens one live connection, once. */
  ticket({ id }: Device): { ticket: string } {
    return { ticket: this.#tickets.issue(id, TICKET_MS) };
  }

  redeem(ticket: string): Device | null {
    return this.#deviceBy(this.#tickets.take(ticket));
  }

  list(self: string | null, isConnected: (id: string) => boolean): ListedDevice[] {
    return this.devices.all().map((device) => ({
      ...viewOf(device),
      createdAtMs: device.createdAtMs,
      seenAtMs: device.seenAtMs,
      isSelf: device.id === self,
      isConnected: isConnected(device.id),
    }));
  }

  /** Nothing that the device has got opens anything any more, and no link that it has made. */
  forget(id: string): void {
    this.#links.end(({ by }) => by === id);
    this.#bearers.end((device) => device === id);
    this.#tickets.end((device) => device === id);
  }

  #deviceBy(id: string | null): Device | null {
    return id === null ? null : this.devices.find(id);
  }

  async #fail({ address, signal }: Peer, error: OutlastError): Promise<never> {
    if (await this.#slowdown.failed(address, signal)) throw error;
    throw new OutlastError('limit_reached', 'too many failed sign-ins from there');
  }
}

/** What a device may know about itself. */
export function viewOf({ id, name, grants }: Device): DeviceView {
  return { id, name, grants };
}

/** Letters, digits and a few marks: the name is shown beside what the device does. */
function nameFrom(given: unknown): string {
  const name = typeof given === 'string' ? given.trim() : '';
  if (name === '') return 'a browser';
  if (/^[\p{L}\p{N}][\p{L}\p{N} .,()+_-]{0,39}$/u.test(name)) return name;
  throw new OutlastError('input_invalid', 'name: up to 40 letters, digits, spaces and .,()+_-');
}

function proofFrom({ device, nonce, atMs, signature }: Readonly<Record<string, unknown>>): Proof | null {
  if (typeof device !== 'string' || typeof nonce !== 'string' || typeof signature !== 'string') return null;
  return typeof atMs === 'number' ? { device, nonce, atMs, signature } : null;
}
