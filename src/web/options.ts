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
}

/** What to listen on. */
export interface Listening {
  /** Null: the one that is kept. */
  readonly port: number | null;
  /** Besides loopback; null: loopback only. */
  readonly address: string | null;
  readonly hosts: readonly string[];
  readonly isBehindProxy: boolean;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | null;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** What to listen on; a text says what is wrong. */
export function listeningOf({ port, listen, behindProxy, tlsCert, tlsKey, hosts }: Wish): Listening | string {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    return `--port: "${port}" is not a port`;
  const wrong = hosts.find((host) => !HOST.test(host));
  if (wrong !== undefined) return `--host: "${wrong}" is not NAME or NAME:PORT, in small letters`;
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key belong together';
  const address = listen === undefined || LOOPBACK.has(listen) ? null : listen.replace(/^\[|\]$/g, '');
  if (address !== null && tlsCert === undefined && !behindProxy)
    return `--listen ${listen}: others could read what passes; add --tls-cert and --tls-key, or --behind-proxy`;
  if (behindProxy && hosts.length === 0) return '--behind-proxy: name what the proxy is called, with --host NAME';
  try {
    const tls = tlsCert === undefined ? null : { cert: readFileSync(tlsCert), key: readFileSync(tlsKey ?? '') };
    const number = port === undefined ? null : Number(port);
    return { port: number, address, hosts, isBehindProxy: behindProxy, tls };
  } catch (error) {
    return `--tls-cert, --tls-key: ${causeText(error)}`;
  }
}
