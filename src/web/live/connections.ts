import { CLOSED } from '../../api/live-frames.ts';
import type { Device } from '../sign-in/devices.ts';
import type { LiveConnection } from './connection.ts';

const PER_DEVICE_MAX = 8;
const ALL_MAX = 128;
/** Connections that have not said who they are. Any process here can open them, so they take no room of the others. */
const UNKNOWN_MAX = 64;

/** The open connections of all tabs. */
export class Connections {
  readonly #all = new Set<LiveConnection>();
  /** Connections whose ticket was not shown yet, oldest first. */
  readonly #unknown = new Set<LiveConnection>();

  /** Is there room for one more, from any device? */
  get hasRoom(): boolean {
    return this.#all.size < ALL_MAX;
  }

  /**
   * Keeps a connection until it is over. Of too many that have shown no ticket the oldest ends: a page shows its own
   * at once.
   */
  began(connection: LiveConnection): void {
    this.#unknown.add(connection);
    connection.signal.addEventListener('abort', () => {
      this.#all.delete(connection);
      this.#unknown.delete(connection);
    });
    const [oldest] = this.#unknown;
    if (this.#unknown.size > UNKNOWN_MAX) oldest?.close(CLOSED.tooMany);
  }

  /** The ticket was good; false: its device has too many, or there are too many of all. */
  arrived(connection: LiveConnection, { id }: Device): boolean {
    if (!this.hasRoom || this.#of(id).length >= PER_DEVICE_MAX) return false;
    this.#unknown.delete(connection);
    this.#all.add(connection);
    return true;
  }

  isConnected(device: string): boolean {
    return this.#of(device).length > 0;
  }

  /** Sends a frame to every page. */
  tell(bytes: Uint8Array): void {
    for (const connection of this.#all) connection.tell(bytes);
  }

  /** Closes the connections of a device, or all. */
  close(code: number, device?: string): void {
    const meant = device === undefined ? [...this.#all, ...this.#unknown] : this.#of(device);
    for (const connection of meant) connection.close(code);
  }

  #of(id: string): LiveConnection[] {
    return [...this.#all].filter(({ device }) => device?.id === id);
  }
}
