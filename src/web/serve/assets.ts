import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { OutlastError } from '../../base/errors.ts';
import { refuse } from './exchange.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.webmanifest']);

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer | null;
  /** Its name has a hash of its content. */
  readonly isHashed: boolean;
}

/** The files of the page, in memory: an upgrade that replaces them on disk does not mix two versions. */
export class Assets {
  readonly #files = new Map<string, Asset>();
  readonly #index: string;

  constructor(folder: string) {
    if (!existsSync(join(folder, 'index.html')))
      throw new OutlastError('state_unusable', `the web page is not in ${folder}: is the package built?`);
    for (const path of filesBelow(folder)) {
      const name = `/${relative(folder, path)}`;
      if (name !== '/index.html') this.#files.set(name, assetOf(path, name));
    }
    this.#index = readFileSync(join(folder, 'index.html'), 'utf8');
  }

  /** Answers a request for a file; every other path is a view of the page, which its own code finds. */
  answer(request: IncomingMessage, response: ServerResponse, nonce: string): void {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const asset = this.#files.get(path);
    if (asset === undefined && extname(path) !== '' && path.startsWith('/assets/')) return refuse(response, 404);
    const type = asset?.type ?? TYPES['.html'] ?? '';
    const accepts = String(request.headers['accept-encoding'] ?? '').includes('gzip');
    const plain = asset?.bytes ?? Buffer.from(this.#index.replaceAll('{{nonce}}', nonce));
    const packed = accepts ? (asset === undefined ? gzipSync(plain) : asset.gzip) : null;
    const body = packed ?? plain;
    response.setHeader('vary', 'accept-encoding');
    if (packed !== null) response.setHeader('content-encoding', 'gzip');
    if (asset?.isHashed === true) response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    response.writeHead(200, { 'content-type': type, 'content-length': body.length });
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

function assetOf(path: string, name: string): Asset {
  const bytes = readFileSync(path);
  const ending = extname(path);
  const gzip = COMPRESSED.has(ending) ? gzipSync(bytes) : null;
  const type = TYPES[ending] ?? 'application/octet-stream';
  return { type, bytes, gzip, isHashed: /^\/assets\/.+-[A-Z0-9]{8}\.\w+$/.test(name) };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}
