import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { PAGE_PATHS } from '../../src/api/page-shape.ts';
import { eventually } from '../eventually.ts';
import type { WebWorld } from './web-world.ts';

/** A connection on which a test writes whatever bytes it likes. */
export class RawClient {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (part) => {
      this.#received = Buffer.concat([this.#received, part]);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async to(world: WebWorld): Promise<RawClient> {
    const client = new RawClient(connect(world.port, '127.0.0.1'));
    await eventually(() => client.socket.readyState === 'open' || client.isClosed, { what: 'a connection' });
    return client;
  }

  /** After the handshake of a live connection. */
  static async live(world: WebWorld): Promise<RawClient> {
    const client = await RawClient.to(world);
    client.send(
      head('GET', PAGE_PATHS.live, {
        ...{ host: world.host, origin: world.origin, upgrade: 'websocket', connection: 'Upgrade' },
        ...{ 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') },
      }),
    );
    await eventually(() => client.text.includes('101 Switching') || client.isClosed, { what: 'a live connection' });
    client.#received = Buffer.alloc(0);
    return client;
  }

  get bytes(): Buffer {
    return this.#received;
  }

  get text(): string {
    return this.#received.toString('latin1');
  }

  /** The status of each answer so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  }

  send(bytes: string | Uint8Array): void {
    if (!this.isClosed) this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Waits until the other side has closed it. */
  async closed(): Promise<void> {
    await eventually(() => this.isClosed, { what: 'a closed connection' });
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The beginning of a request. */
export function head(method: string, target: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`;
}

/** A frame of a WebSocket. `mask` null: none, which a client may not send. */
export function wireFrame(
  payload: Uint8Array,
  how: { opcode?: number; isLast?: boolean; reserved?: number; mask?: Buffer | null; length?: bigint } = {},
): Buffer {
  const { opcode = 2, isLast = true, reserved = 0, mask = randomBytes(4), length = BigInt(payload.length) } = how;
  const first = (isLast ? 128 : 0) | (reserved << 4) | opcode;
  const masked = mask === null ? 0 : 128;
  const size =
    length < 126n
      ? Buffer.from([masked | Number(length)])
      : length < 65_536n
        ? Buffer.from([masked | 126, Number(length >> 8n), Number(length & 255n)])
        : Buffer.concat([Buffer.from([masked | 127]), big(length)]);
  const body = mask === null ? payload : payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0));
  return Buffer.concat([Buffer.from([first]), size, mask ?? Buffer.alloc(0), body]);
}

function big(length: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(length);
  return bytes;
}
