import type { Clock } from '../../base/clock.ts';
import type { PageChannel } from './channel.ts';
import { Value } from './observed.ts';
import type { LiveState } from './types.ts';

/** Streams are opened again this soon after a connection is back; one that is not was closed meanwhile. */
const REOPEN_MS_MAX = 3_000;

type SignedOut = Extract<LiveState, { is: 'signed out' }>['why'];

/** What is known about the connection, as one state. */
export class Status {
  readonly state = new Value<LiveState>({ is: 'connecting' });
  readonly #clock: Clock;
  readonly #channels: () => readonly PageChannel[];
  #signedOut: SignedOut | null = null;
  #isUp = false;
  #offlineMs: number | null = null;
  #awayMs: number | null = null;
  /** While set, the streams that were open before are opened again and read. */
  #catchingUp: { readonly streams: number; readonly untilMs: number; opened: number } | null = null;
  #streams = 0;

  constructor(clock: Clock, channels: () => readonly PageChannel[]) {
    this.#clock = clock;
    this.#channels = channels;
  }

  signedIn(): void {
    this.#signedOut = null;
    this.#offlineMs = null;
    this.#awayMs = null;
    this.#show();
  }

  signedOut(why: SignedOut): void {
    this.#signedOut = why;
    this.#isUp = false;
    this.#show();
  }

  connected(isUp: boolean): void {
    if (isUp && this.#offlineMs !== null) this.#catchUp();
    if (!isUp) this.#offlineMs ??= this.#clock.wallMs();
    else this.#offlineMs = null;
    this.#isUp = isUp;
    this.#show();
  }

  /** The daemon behind the server answered, or did not. */
  heard(daemon: 'here' | 'away'): void {
    if (daemon === 'here' && this.#awayMs !== null) this.#catchUp();
    this.#awayMs = daemon === 'here' ? null : (this.#awayMs ?? this.#clock.wallMs());
    this.#show();
  }

  /** The streams have changed. */
  moved(): void {
    const { length } = this.#channels();
    if (this.#catchingUp !== null) this.#catchingUp.opened = Math.max(this.#catchingUp.opened, length);
    else if (this.#isUp && this.#awayMs === null) this.#streams = Math.max(length, 1);
    this.#show();
  }

  #catchUp(): void {
    const untilMs = this.#clock.steadyMs() + REOPEN_MS_MAX;
    this.#catchingUp = { streams: this.#streams, untilMs, opened: 0 };
    void this.#clock.sleep(REOPEN_MS_MAX + 1).then(() => this.#show());
  }

  #show(): void {
    const next = this.#next();
    const { value } = this.state;
    if (JSON.stringify(next) !== JSON.stringify(value)) this.state.set(next);
  }

  #next(): LiveState {
    if (this.#signedOut !== null) return { is: 'signed out', why: this.#signedOut };
    if (this.#offlineMs !== null) return { is: 'offline', sinceMs: this.#offlineMs };
    if (!this.#isUp) return { is: 'connecting' };
    if (this.#awayMs !== null) return { is: 'daemon away', sinceMs: this.#awayMs };
    if (this.#isCatchingUp()) return { is: 'catching up' };
    this.#catchingUp = null;
    return { is: 'live' };
  }

  #isCatchingUp(): boolean {
    if (this.#catchingUp === null) return false;
    const { streams, untilMs, opened } = this.#catchingUp;
    const isReopening = opened < streams && this.#clock.steadyMs() < untilMs;
    return isReopening || this.#channels().some(({ isCurrent }) => !isCurrent);
  }
}
