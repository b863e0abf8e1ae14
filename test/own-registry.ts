import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** A package registry on loopback that has the run-time dependencies of Outlast and nothing else. */
export interface OwnRegistry extends AsyncDisposable {
  readonly url: string;
  /** The packages that were asked for. */
  readonly asked: Set<string>;
}

/** Starts the registry. Its packages are those of this checkout's node_modules, with the facts of the lock file. */
export async function ownRegistry(): Promise<OwnRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-registry-'));
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const asked = new Set<string>();
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(url.slice(1));
    const isFile = path.endsWith('.tgz');
    const name = isFile ? path.slice(0, path.indexOf('/-/')) : path;
    asked.add(name);
    const known = packages[`node_modules/${name}`];
    const made = known && name.startsWith('@lydell/') ? tarball(folder, name) : null;
    if (!known?.version || !name.startsWith('@lydell/')) return void response.writeHead(404).end('{}');
    if (isFile) return void (made === null ? response.writeHead(404).end() : response.end(made));
    const { version, os, cpu, optionalDependencies } = known;
    const integrity = made && `sha512-${createHash('sha512').update(made).digest('base64')}`;
    const dist = { tarball: `http://127.0.0.1:${port()}/${name}/-/it-${version}.tgz`, ...(integrity && { integrity }) };
    const about = { name, version, os, cpu, optionalDependencies, dist };
    const page = { name, 'dist-tags': { latest: version }, versions: { [version]: about } };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
  });
  const port = (): number => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port()}/`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A package as npm packs it; null: it is for another system, and is not installed here. */
function tarball(folder: string, name: string): Buffer | null {
  const installed = join(ROOT, 'node_modules', name);
  if (!existsSync(installed)) return null;
  const file = join(folder, `${name.replace('/', '-')}.tgz`);
  if (!existsSync(file))
    execFileSync('tar', ['-czhf', file, '-C', installed, '--transform', 's,^\\.,package,', '.'], { stdio: 'ignore' });
  return readFileSync(file);
}
