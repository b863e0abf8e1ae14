import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The program of this name in the folders of a PATH; null: it is in none. Relative folders do not count. */
export function onPath(program: string, path: string): string | null {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return join(folder, program);
    } catch {
      // Not here: look in the next folder.
    }
  }
  return null;
}
