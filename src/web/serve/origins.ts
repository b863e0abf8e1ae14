import type { IncomingMessage } from 'node:http';

/** How the server can be reached. */
export interface Reach {
  readonly isTls: boolean;
  readonly port: number;
  /** The address it was told to listen on; null: loopback. */
  readonly address: string | null;
  /** Names by which a proxy is reached, as `NAME` or `NAME:PORT`; always https. */
  readonly hosts: readonly string[];
}

/** The origin of the page for each Host header that is served. All others are refused; there are no patterns. */
export function originsOf({ isTls, port, address, hosts }: Reach): ReadonlyMap<string, string> {
  const scheme = isTls ? 'https' : 'http';
  const usual = isTls ? 443 : 80;
  const own = ['127.0.0.1', 'localhost', '[::1]', ...(address === null ? [] : [nameOf(address)])];
  // A browser leaves out the usual port.
  const authorities = own.map((name) => (port === usual ? name : `${name}:${port}`));
  return new Map([
    ...authorities.map((each): [string, string] => [each, `${scheme}://${each}`]),
    ...hosts.map((each): [string, string] => [each, `https://${each}`]),
  ]);
}

/** An address as it stands in a URL. */
export function nameOf(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * The origin that a request is for; null: it is refused before anything else of it is read. The Host header must be one
 * that is served, exactly once; a page that points its own name to this machine sends another.
 */
export function originOf(request: IncomingMessage, origins: ReadonlyMap<string, string>): string | null {
  const { rawHeaders, headers, url = '' } = request;
  const hosts = rawHeaders.filter((word, at) => at % 2 === 0 && word.toLowerCase() === 'host');
  if (hosts.length !== 1 || !url.startsWith('/')) return null;
  return origins.get(headers.host ?? '') ?? null;
}

/**
 * Does it come from our own page? Programs send neither header, and a link elsewhere may lead to the page itself: that
 * has no data, and cannot be framed.
 */
export function isOwn({ headers, method }: IncomingMessage, origin: string, isData: boolean): boolean {
  const site = headers['sec-fetch-site'];
  const isRead = method === 'GET' || method === 'HEAD';
  if (headers.origin === undefined ? !isRead : headers.origin !== origin) return false;
  if (site === undefined || site === 'same-origin') return true;
  return isRead && !isData && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Where a link for another device leads: to a name that is known elsewhere, if there is one, else to this origin. */
export function originForOthers(origins: ReadonlyMap<string, string>, own: string): string {
  const all = [...origins.values()];
  const elsewhere = all.filter((each) => !isLoopback(each));
  if (elsewhere.includes(own)) return own;
  const withTls = (of: readonly string[]): string | undefined => of.find((each) => each.startsWith('https:'));
  return withTls(elsewhere) ?? elsewhere[0] ?? withTls(all) ?? own;
}

function isLoopback(origin: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname);
}
