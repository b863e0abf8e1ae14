import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { CLOSED, CONTROL_CHANNEL } from '../../api/live-frames.ts';
import { PAGE_PATHS } from '../../api/page-shape.ts';
import { OutlastError } from '../../base/errors.ts';
import { anySignal } from '../../base/signals.ts';
import { LiveConnection, type LiveParts } from '../live/connection.ts';
import { Connections } from '../live/connections.ts';
import type { Typist } from '../live/control.ts';
import { newSecret } from '../sign-in/secret.ts';
import { actorName, answerCall } from './calls.ts';
import { answerError, answerJson, errorBody, refuse } from './exchange.ts';
import { filled } from './fill.ts';
import { protect } from './headers.ts';
import { isOwn, originOf } from './origins.ts';
import { refuseUngranted } from './rights.ts';
import type { ServerParts } from './server-parts.ts';
import { answerSignIn, isSignIn } from './sign-in-routes.ts';

/** A request without a Host is refused by us, as one with a wrong Host is. */
const OWN_CHECK = { requireHostHeader: false, connectionsCheckingInterval: 2_000 };
const CONNECTIONS_MAX = 512;
const HEADERS_MS_MAX = 10_000;
/** The largest body over a slow line; more time would only help who wants to use up connections. */
const REQUEST_MS_MAX = 90_000;
/** Larger than any frame of a page. */
const FRAME_BYTES_MAX = 64 * 1024;

/** The server of the page, for one or more addresses. */
export class PageServer {
  readonly connections = new Connections();
  readonly #parts: ServerParts;
  readonly #upgrades = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES_MAX, perMessageDeflate: false });
  readonly #servers: Server[] = [];
  /** Ends what the calls of a device do when it is revoked. */
  readonly #calling = new Map<string, AbortController>();

  constructor(parts: ServerParts) {
    this.#parts = parts;
  }

  /** Listens on an address; returns the port. */
  async listen(address: string, port: number): Promise<number> {
    return this.#open((server) => server.listen(port, address));
  }

  /** Listens on a socket that was opened for us; returns the port. */
  async listenFd(fd: number): Promise<number> {
    return this.#open((server) => server.listen({ fd }));
  }

  async #open(begin: (server: Server) => Server): Promise<number> {
    const { tls } = this.#parts;
    const take = (request: IncomingMessage, response: ServerResponse): void => void this.#take(request, response);
    const server = tls === null ? createServer(OWN_CHECK, take) : createTlsServer({ ...tls, ...OWN_CHECK }, take);
    server.maxConnections = CONNECTIONS_MAX;
    server.headersTimeout = HEADERS_MS_MAX;
    server.requestTimeout = REQUEST_MS_MAX;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#upgrade(request, socket, head),
    );
    await new Promise<void>((resolve, reject) => {
      begin(server.once('error', reject).once('listening', resolve));
    });
    this.#servers.push(server);
    const bound = server.address();
    if (typeof bound !== 'object' || bound === null) throw new OutlastError('not_supported', 'this socket has no port');
    return bound.port;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    this.connections.close(CLOSED.leaving);
    await Promise.all(
      this.#servers.map(async (server) => {
        server.closeAllConnections();
        await new Promise<void>((resolve) => void server.close(() => resolve()));
      }),
    );
  }

  /** A device may do nothing any more. */
  revoked(id: string): void {
    this.#parts.signIn.forget(id);
    this.#calling.get(id)?.abort(new OutlastError('signed_out', 'this browser is not signed in any more'));
    this.#calling.delete(id);
    this.connections.close(CLOSED.revoked, id);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => {});
    try {
      await this.#answer(request, response);
    } catch (error) {
      answerError(response, error);
    }
  }

  /** First the Host, then where the request comes from, then what it wants, then who wants it. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const nonce = newSecret();
    protect(response, nonce);
    const origin = originOf(request, this.#parts.origins);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const isCall = path.startsWith(`${PAGE_PATHS.api}/`);
    if (origin === null || !isOwn(request, origin, isCall || isSignIn(path))) return refuse(response, 403);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const asked = { request, origin, path, signal: gone.signal };
    if (isSignIn(path)) return answerJson(response, await answerSignIn(this.#parts, this.connections, asked));
    if (isCall) {
      const device = this.#parts.signIn.deviceOf(request.headers.authorization);
      const signal = anySignal(gone.signal, this.#revokedSignal(device.id));
      return answerJson(response, await answerCall(this.#parts, request, device, signal));
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    this.#parts.assets.answer(request, response, nonce);
  }

  #revokedSignal(device: string): AbortSignal {
    const known = this.#calling.get(device) ?? new AbortController();
    this.#calling.set(device, known);
    return known.signal;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const origin = originOf(request, this.#parts.origins);
    const site = request.headers['sec-fetch-site'];
    const isOurs = request.headers.origin === origin && (site === undefined || site === 'same-origin');
    const isRight = origin !== null && isOurs && request.url === PAGE_PATHS.live;
    const status = isRight ? (this.connections.hasRoom ? null : '429 Too Many Requests') : '403 Forbidden';
    if (status !== null) return void socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
    this.#upgrades.handleUpgrade(request, socket, head, (made: WebSocket) => {
      this.connections.began(new LiveConnection(this.#live(request.socket), made));
    });
  }

  #live(socket: Socket): LiveParts {
    const { clock, outlast, signIn, own, insiders } = this.#parts;
    return {
      clock,
      outlast,
      redeem: (ticket) => signIn.redeem(ticket),
      check: async (device, name, input) => {
        filled(name, input, { ...own(), by: '' });
        await refuseUngranted(outlast, device.grants, name, input);
      },
      typist: async (device) => {
        await insiders.refuse(socket, `call ${CONTROL_CHANNEL}`);
        return { by: actorName(device), caller: own().caller as Typist['caller'] };
      },
      errorBody,
      arrived: (connection, device) => this.connections.arrived(connection, device),
    };
  }
}
