import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Grant } from '../../src/api/grants.ts';
import { type DeviceView, PAGE_PATHS, signedText } from '../../src/api/page-shape.ts';
import { realClock } from '../../src/base/clock.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

/** Serves another page than the built one, with the built server. */
const SERVE = `
const [, page, port] = process.argv;
const over = new AbortController();
process.on('SIGTERM', () => over.abort());
const onReady = (ready) => console.log(JSON.stringify(ready));
const options = { env: process.env, page, port, hosts: [], behindProxy: false, signal: over.signal, onReady };
import(${JSON.stringify(join(import.meta.dirname, '../../dist/web.js'))}).then(({ serveWeb }) => serveWeb(options));
`;

/** An answer, as raw as a test needs it. */
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How a request is made by hand: fetch allows no false Host. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A daemon, and a server of the web page in a process of its own. */
export class WebWorld extends World {
  readonly #servers: ChildProcess[] = [];
  #port = 0;
  /** Serves this page instead of the real one. */
  page: string | null = null;

  get port(): number {
    return this.#port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Starts a server, and returns the link that it prints. */
  async serve(args: readonly string[] = [], env: NodeJS.ProcessEnv = this.env): Promise<string> {
    const port = String(this.#port);
    const words = [BIN, 'web', '--json', '--no-open', '--port', port, ...args];
    const all = this.page === null ? words : ['-e', SERVE, this.page, port];
    const server = spawn(process.execPath, all, { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
    this.#servers.push(server);
    let output = '';
    const keep = (part: Buffer): void => {
      output += part.toString();
    };
    server.stdout?.on('data', keep);
    await eventually(() => output.includes('\n') || server.exitCode !== null, { what: 'a served page' });
    const ready = JSON.parse(output.split('\n')[0] ?? '') as { url: string; link: { url: string } | null };
    this.#port = Number(new URL(ready.url).port);
    return ready.link?.url ?? '';
  }

  /** The process of the server. */
  get serverPid(): number {
    return this.#servers.at(-1)?.pid ?? 0;
  }

  /** Ends the server, and waits until it is gone. */
  async unserve(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const server = this.#servers.pop();
    if (server === undefined || server.exitCode !== null) return server?.exitCode ?? null;
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await gone;
    return server.exitCode;
  }

  /** A new link. */
  async link(...args: string[]): Promise<string> {
    const { stdout, stderr, status } = await this.cli(['web', 'link', ...args]);
    if (status !== 0) throw new Error(`web link: ${stderr}`);
    return stdout.trim();
  }

  /** Asks the server, as a program would. */
  ask(path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port: this.#port, path, method, headers, agent: false };
      const outgoing = request(to, (answer: IncomingMessage) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }));
        answer.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  /** Sends bytes as they are; the status of the answer, which must have no body. */
  raw(bytes: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1', () => socket.write(bytes));
      let text = '';
      socket.setEncoding('latin1').on('data', (part) => {
        text += part;
      });
      socket.on('error', reject).on('close', () => {
        const [head = '', body] = text.split('\r\n\r\n');
        if (body !== '') reject(new Error(`a body: ${text}`));
        else resolve(Number(head.split(' ')[1]));
      });
    });
  }

  /** Posts as the page does. */
  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    const own = { origin: this.origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    return this.ask(path, { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) });
  }

  /** Signs a program in, as a browser would. */
  async signIn(link: string, name = 'Test'): Promise<WebDevice> {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const code = codeOf(link);
    const answer = await this.post(PAGE_PATHS.signIn, { code, key: publicKey.export({ format: 'jwk' }), name });
    if (answer.status !== 200) throw new Error(`sign in: ${answer.status} ${answer.body}`);
    return new WebDevice(this, (JSON.parse(answer.body) as { device: DeviceView }).device, privateKey);
  }

  /** A device with these grants. */
  async device(...grants: Grant[]): Promise<WebDevice> {
    return this.signIn(await this.link('--allow', grants.join(',')), `Test ${randomBytes(4).toString('hex')}`);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    while (this.#servers.length > 0) await this.unserve('SIGKILL');
    await super[Symbol.asyncDispose]();
  }
}

/** A signed-in program that has the key of a device. */
export class WebDevice {
  readonly device: DeviceView;
  readonly key: KeyObject;
  readonly #world: WebWorld;
  /** Of the server that runs now: another one has forgotten it. */
  #token: { readonly pid: number; readonly token: string } | null = null;

  constructor(world: WebWorld, device: DeviceView, key: KeyObject) {
    this.#world = world;
    this.device = device;
    this.key = key;
  }

  /** What a browser sends to get a bearer. */
  proof(given: { origin?: string; atMs?: number; nonce?: string } = {}): {
    device: string;
    nonce: string;
    atMs: number;
    signature: string;
  } {
    const {
      origin = this.#world.origin,
      atMs = realClock().wallMs(),
      nonce = randomBytes(18).toString('base64url'),
    } = given;
    const what = { device: this.device.id, nonce, atMs };
    const text = Buffer.from(signedText({ ...what, origin }));
    const signature = sign('sha256', text, { key: this.key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    return { ...what, signature };
  }

  async token(): Promise<string> {
    const pid = this.#world.serverPid;
    if (this.#token?.pid === pid) return this.#token.token;
    const answer = await this.#world.post(PAGE_PATHS.bearer, this.proof());
    if (answer.status !== 200) throw new Error(`bearer: ${answer.status} ${answer.body}`);
    const { token } = JSON.parse(answer.body) as { token: string };
    this.#token = { pid, token };
    return token;
  }

  async headers(): Promise<Record<string, string>> {
    return { authorization: `Bearer ${await this.token()}` };
  }

  async get(path: string): Promise<Answered> {
    return this.#world.ask(path, { headers: await this.headers() });
  }

  async post(path: string, body: unknown = {}): Promise<Answered> {
    return this.#world.post(path, body, await this.headers());
  }

  async ticket(): Promise<string> {
    return (JSON.parse((await this.post(PAGE_PATHS.ticket)).body) as { ticket: string }).ticket;
  }
}

/** The code in a link. */
export function codeOf(link: string): string {
  return new URL(link).hash.replace('#code=', '');
}

export async function makeWebWorld(args: readonly string[] = [], config: object = {}): Promise<WebWorld> {
  const world = new WebWorld({ config: { agent: 'scripted', ...config } });
  await world.start();
  await world.serve(args);
  return world;
}
