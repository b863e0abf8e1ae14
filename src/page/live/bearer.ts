import { type BearerView, type DeviceView, PAGE_PATHS, signedText } from '../../api/page-shape.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { answerOf } from '../../client/exchange.ts';
import { newNonce, type StoredKey, sign } from './key-store.ts';

/** A new bearer is asked for this long before the old one ends. */
const EARLY_MS = 60_000;

interface Held {
  readonly token: string;
  readonly untilMs: number;
}

/** Signs this browser in with its key, again and again: what it gets lasts minutes, and is only in memory. */
export class Bearer {
  /** Called with what the server says about this device now. */
  onDevice: (device: DeviceView) => void = () => {};
  /** Called when the server does not know the key. */
  onSignedOut: () => void = () => {};
  readonly #clock: Clock;
  #stored: StoredKey | null = null;
  #held: Held | null = null;
  #asking: Promise<Held> | null = null;
  /** How far the clock of this browser is behind that of the server. */
  #behindMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  use(stored: StoredKey | null): void {
    this.#stored = stored;
    this.#held = null;
    this.#asking = null;
  }

  /** Asks the server, and signs in first if needed. Rejects like `fetch` when it cannot be reached. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    for (let isAgain = false; ; isAgain = true) {
      const { token } = await this.#token();
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${token}`);
      const answer = await fetch(path, { ...init, headers, credentials: 'omit', redirect: 'error', cache: 'no-store' });
      if (answer.status !== 401 || isAgain) return answer;
      // The server was started again, and has forgotten its bearers; or the device was revoked.
      if (this.#held?.token === token) this.#held = null;
    }
  }

  /** What the server answers to a post, as a value. */
  async post(path: string, body: object = {}): Promise<unknown> {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await this.fetch(path, init);
    return answerOf(answer.status, await answer.text());
  }

  async #token(): Promise<Held> {
    if (this.#held !== null && this.#held.untilMs - EARLY_MS > this.#clock.steadyMs()) return this.#held;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<Held> {
    const stored = this.#stored;
    if (stored === null) throw new OutlastError('signed_out', 'this browser is not signed in');
    const first = await this.#prove(stored);
    // A clock that is wrong makes a good signature count as old: the server says what time it is.
    const answer = first.status === 401 && this.#hasLearnt(first) ? await this.#prove(stored) : first;
    const text = await answer.text();
    if (answer.status === 401 && this.#stored === stored) this.onSignedOut();
    const { token, ms, device } = answerOf(answer.status, text) as BearerView;
    const held = { token, untilMs: this.#clock.steadyMs() + ms };
    if (this.#stored === stored) {
      this.#held = held;
      this.onDevice(device);
    }
    return held;
  }

  async #prove({ device, key }: StoredKey): Promise<Response> {
    const what = { device: device.id, nonce: newNonce(), atMs: this.#clock.wallMs() + this.#behindMs };
    const signature = await sign(key, signedText({ ...what, origin: location.origin }));
    return fetch(PAGE_PATHS.bearer, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...what, signature }),
      credentials: 'omit',
      redirect: 'error',
    });
  }

  #hasLearnt(answer: Response): boolean {
    const theirsMs = Date.parse(answer.headers.get('date') ?? '');
    const behindMs = theirsMs - this.#clock.wallMs();
    if (!Number.isFinite(behindMs) || Math.abs(behindMs - this.#behindMs) < 30_000) return false;
    this.#behindMs = behindMs;
    return true;
  }
}
