import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** A file of a folder: its mode and its bytes, each as one character. The name of an empty folder ends in a slash. */
type Packed = readonly [mode: number, bytes: string];

/** Everything below a folder in one file. Sockets and FIFOs are left out: they belong to processes. */
export function packFolder(folder: string): Buffer {
  const files = Object.fromEntries(
    pathsBelow(folder).map((path) => [relative(folder, path) + tail(path), packed(path)]),
  );
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(Buffer.from(JSON.stringify(files), 'latin1'), { params });
}

/** Writes a packed folder out again. */
export function unpackFolder(file: string, folder: string): void {
  const files = JSON.parse(brotliDecompressSync(readFileSync(file)).toString('latin1')) as Record<string, Packed>;
  for (const [name, [mode, bytes]] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true, mode: 0o700 });
    if (name.endsWith('/')) continue;
    writeFileSync(path, bytes, 'latin1');
    chmodSync(path, mode);
  }
}

/** The regular files below a folder, and the folders that have none. */
export function pathsBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lstatSync(path);
    if (!stat.isDirectory()) return stat.isFile() ? [path] : [];
    const below = pathsBelow(path);
    return below.length === 0 ? [path] : below;
  });
}

function packed(path: string): Packed {
  const stat = lstatSync(path);
  return [stat.mode & 0o777, stat.isDirectory() ? '' : readFileSync(path, 'latin1')];
}

function tail(path: string): string {
  return lstatSync(path).isDirectory() ? '/' : '';
}
