import type { ServerResponse } from 'node:http';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src-elem 'self' {nonce}",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types page',
];

/** The content security policy. Style elements that the page makes itself carry the nonce. */
export function policy(nonce: string): string {
  return POLICY.join('; ').replace('{nonce}', `'nonce-${nonce}'`);
}

/** Headers of every answer. There is no header for other origins: none may read anything. */
export function protect(response: ServerResponse, nonce: string): void {
  response.setHeader('content-security-policy', policy(nonce));
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  // A browser would look up the hosts of links that it shows, and a name can carry what an agent knows.
  response.setHeader('x-dns-prefetch-control', 'off');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
}
