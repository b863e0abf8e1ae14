import { type DeviceView, type LinkView, type ListedDevice, PAGE_PATHS } from '../../api/page-shape.ts';
import { browserClock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { Outlast } from '../../client/browser.ts';
import { answerOf } from '../../client/exchange.ts';
import { Bearer } from './bearer.ts';
import { takeControl } from './control.ts';
import { deviceName } from './device-name.ts';
import { deleteKey, newKey, readKey, type StoredKey, writeKey } from './key-store.ts';
import { Value } from './observed.ts';
import { readOutput } from './output.ts';
import { styledScreens } from './screens.ts';
import { LiveSocket } from './socket.ts';
import { Status } from './status.ts';
import { LiveTransport } from './transport.ts';
import type { Device, Live } from './types.ts';

export type * from './types.ts';

const clock = browserClock();

/** Connects this tab. A link that leads here signs this browser in first; its code is removed from the address. */
export async function openLive(): Promise<Live> {
  const connection = new PageConnection();
  const code = takeCode();
  const stored = await readKey();
  if (stored !== null) connection.use(stored);
  if (code !== null)
    await connection.signIn(code).catch(() => {
      if (stored === null) connection.status.signedOut('link spent');
    });
  else if (stored === null) connection.status.signedOut('no key');
  return connection;
}

/** The code of a link, removed from the address and from the history. */
function takeCode(): string | null {
  const [, code] = /^#code=([\w-]+)$/.exec(location.hash) ?? [];
  if (location.hash.startsWith('#code=')) history.replaceState(null, '', location.pathname + location.search);
  return code ?? null;
}

class PageConnection implements Live {
  readonly outlast: Outlast;
  readonly device = new Value<Device | null>(null);
  readonly newcomer = new Value<Device | null>(null);
  readonly status: Status;
  readonly #bearer = new Bearer(clock);
  readonly #socket: LiveSocket;

  constructor() {
    this.#socket = new LiveSocket({
      clock,
      ticket: async () => ((await this.#bearer.post(PAGE_PATHS.ticket)) as { ticket: string }).ticket,
      listener: {
        changed: (to) => (to === 'revoked' ? this.#over('revoked') : this.status.connected(to === 'up')),
        moved: () => this.status.moved(),
        newcomer: (device) => this.newcomer.set(device),
        heard: (daemon) => this.status.heard(daemon),
      },
    });
    this.status = new Status(clock, () => this.#socket.channels);
    this.#bearer.onDevice = (device) => this.device.set(device);
    this.#bearer.onSignedOut = () => this.#over('revoked');
    const transport = new LiveTransport(this.#bearer, this.#socket, (daemon) => this.status.heard(daemon));
    this.outlast = new Outlast(transport, () => ({}), clock);
    addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.retry();
    });
  }

  get state() {
    return this.status.state;
  }

  use(stored: StoredKey): void {
    this.#socket.stop();
    this.#bearer.use(stored);
    this.device.set(stored.device);
    this.status.signedIn();
    this.#socket.start();
  }

  async signIn(code: string): Promise<Device> {
    const { key, publicKey } = await newKey();
    const body = JSON.stringify({ code, key: publicKey, name: deviceName(navigator.userAgent) });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(PAGE_PATHS.signIn, { method: 'POST', headers, body, credentials: 'omit' });
    const { device } = answerOf(answer.status, await answer.text()) as { device: DeviceView };
    // What this browser was before ends: it has one key.
    if (this.device.value !== null) await this.#bearer.post(PAGE_PATHS.signOut).catch(() => {});
    await writeKey({ key, device });
    this.use({ key, device });
    return device;
  }

  async signOut(): Promise<void> {
    await this.#bearer.post(PAGE_PATHS.signOut);
    await deleteKey();
    this.#over('no key');
  }

  async devices(): Promise<readonly ListedDevice[]> {
    const answer = await this.#bearer.fetch(PAGE_PATHS.devices);
    return (answerOf(answer.status, await answer.text()) as { devices: ListedDevice[] }).devices;
  }

  async revoke(id: string): Promise<void> {
    const { removed } = (await this.#bearer.post(PAGE_PATHS.revoke, { id })) as { removed: boolean };
    if (!removed) throw new OutlastError('input_invalid', 'there is no such device any more');
  }

  async link(grants: Device['grants'], ms?: number): Promise<LinkView> {
    return (await this.#bearer.post(PAGE_PATHS.link, { grants, ms })) as LinkView;
  }

  output(session: string, options: { from: number; skipBytes?: number }, signal?: AbortSignal) {
    return readOutput(this.#socket, clock, { session, ...options }, signal);
  }

  screens(session: string, signal?: AbortSignal) {
    return styledScreens(this.outlast.screens({ session, styled: true }, signal));
  }

  control(session: string, signal: AbortSignal) {
    return takeControl(this.#socket, session, signal);
  }

  retry(): void {
    this.#socket.retry();
  }

  close(): void {
    this.#socket.stop();
  }

  #over(why: 'no key' | 'revoked'): void {
    this.#socket.stop();
    this.#bearer.use(null);
    this.device.set(null);
    this.status.signedOut(why);
  }
}
