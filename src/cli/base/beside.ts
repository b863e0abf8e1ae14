import { fs, path } from '../../client/node.ts';

/**
 * The URL of a program that is not part of this bundle, because few need it: the first of these files that exists.
 * Paths are relative to the folder of the caller, which is the bundle's when there is one.
 */
export function beside(folder: string, ...files: readonly string[]): string {
  const places = files.map((file) => path.join(folder, file));
  const found = places.find((place) => fs.existsSync(place)) ?? places[0] ?? '';
  return process.getBuiltinModule('node:url').pathToFileURL(found).href;
}
