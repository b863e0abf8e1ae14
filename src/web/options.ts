import { readFileSync } from 'node:fs';
import { causeText } from '../base/system-errors.ts';

/** How the server was asked to listen. */
export interface Wish {
  readonly port?: string | undefined;
  readonly listen?: string | undefined;
  readonly behindProxy: boolean;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly hosts: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What to listen on. */
export interface Listening {
  /** Null: the one that is kept. */
  readonly port: number | null;
  /** Besides loopback; null: loopback only. */
  readonly address: string | null;
  readonly hosts: readonly string[];
  readonly isBehindProxy: boolean;
  /** How many sockets a service manager has opened for us; then nothing else is listened on. */
  readonly sockets: number;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** What to listen on; a text says what is wrong. */
export function listeningOf({ port, listen, behindProxy, tlsCert, tlsKey, hosts, env }: Wish): Listening | string {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    return `--port: "${port}" is not a port`;
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong !== undefined) return `--host: "${wrong}" is not NAME or NAME:PORT, in small letters`;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key belong together';
  const address = listen === undefined || LOOPBACK.has(listen) ? null : listen.replace(/^\[|\]$/g, '');
  if (address !== null && tlsCert === undefined && !behindProxy)
    return `--listen ${listen}: others could read what passes; add --tls-cert and --tls-key, or --behind-proxy`;
  if (isEverywhere(address) && hosts.length === 0)
    return `--listen ${listen}: name what this machine is called there, with --host NAME:PORT`;
  if (behindProxy && hosts.length === 0) return '--behind-proxy: name what the proxy is called, with --host NAME';
  try {
    const tls = tlsCert === undefined ? null : { cert: readFileSync(tlsCert), key: readFileSync(tlsKey ?? '') };
    const number = port === undefined ? null : Number(port);
    return { port: number, address, hosts, isBehindProxy: behindProxy, sockets: socketsIn(env), tls };
  } catch (error) {
    return `--tls-cert, --tls-key: ${causeText(error)}`;
  }
}

/** Every address of this machine: that is no name, so no page can be reached by it. */
export function isEverywhere(address: string | null): boolean {
  return address !== null && /^[0.:]+$/.test(address);
}

/** The sockets that systemd passes to this process, and to no child of it. */
function socketsIn({ LISTEN_PID, LISTEN_FDS }: Wish['env']): number {
  return LISTEN_PID === String(process.pid) && /^[1-9]$/.test(LISTEN_FDS ?? '') ? Number(LISTEN_FDS) : 0;
}
