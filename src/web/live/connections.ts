import type { Device } from '../sign-in/devices.ts';
import type { LiveConnection } from './connection.ts';

const PER_DEVICE_MAX = 8;
const ALL_MAX = 128;

/** The open connections of all tabs. */
export class Connections {
  readonly #all = new Set<LiveConnection>();
  /** Connections whose ticket was not shown yet. */
  #unknown = 0;

  /** Is there room for one more, from any device? */
  get hasRoom(): boolean {
    return this.#all.size + this.#unknown < ALL_MAX;
  }

  /** Counts a connection until it is over, or known. */
  began(connection: LiveConnection): void {
    this.#unknown += 1;
    connection.signal.addEventListener('abort', () => {
      if (!this.#all.delete(connection)) this.#unknown -= 1;
    });
  }

  /** The ticket was good; false: its device has too many. */
  arrived(connection: LiveConnection, { id }: Device): boolean {
    if (this.#of(id).length >= PER_DEVICE_MAX) return false;
    this.#unknown -= 1;
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
    const meant = device === undefined ? [...this.#all] : this.#of(device);
    for (const connection of meant) connection.close(code);
  }

  #of(id: string): LiveConnection[] {
    return [...this.#all].filter(({ device }) => device?.id === id);
  }
}
