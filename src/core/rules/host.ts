/** A host, and its port unless that is the default one. */
export interface Host {
  readonly host: string;
  readonly port: string;
}

/** The host of a URL, in lower-case ASCII; null when programs could parse it differently. */
export function hostOf(address: unknown): Host | null {
  if (typeof address !== 'string' || /[\0-\x20\x7f\\]/.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || /^\w+:\/*[^/?#]*@/.test(address)) return null;
  const host = url.hostname.replace(/\.$/, '');
  return host === '' ? null : { host, port: url.port };
}

/** True when a pattern names a host. */
export function isHostPattern(pattern: string): boolean {
  return hostIn(pattern) !== null;
}

/** True when `domain:example.com` matches the host: itself or a subdomain. A port must be named to be allowed. */
export function hostFits(pattern: string, { host, port }: Host, isWide: boolean): boolean {
  const rule = hostIn(pattern);
  if (rule === null) return false;
  const isBelow = host.endsWith(`.${rule.host}`) && !/^[\d.]+$|^\[/.test(host);
  if (host !== rule.host && !isBelow) return false;
  return port === rule.port || (isWide && rule.port === '');
}

function hostIn(pattern: string): Host | null {
  const domain = /^domain:(?:\*\.)?([^/@?#\s*]+)$/.exec(pattern)?.[1];
  return domain === undefined ? null : hostOf(`https://${domain}/`);
}
