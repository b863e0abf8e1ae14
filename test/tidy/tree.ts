import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The files below a folder with one of these endings. */
export function filesBelow(folder: string, ...endings: string[]): SourceFile[] {
  const top = join(ROOT, folder);
  return readdirSync(top).flatMap((name) => {
    const path = join(top, name);
    const from = relative(ROOT, path);
    if (statSync(path).isDirectory()) return filesBelow(from, ...endings);
    return endings.some((ending) => name.endsWith(ending)) ? [{ path: from, text: readFileSync(path, 'utf8') }] : [];
  });
}

/** The code of the product, without its tests. */
export function sources(): SourceFile[] {
  return filesBelow('src', '.ts', '.tsx').filter(({ path }) => !/\.test\.tsx?$/.test(path));
}
