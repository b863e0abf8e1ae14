import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';

const FILES_MAX = 5_000;
const MS_MAX = 500;

/** Does a folder have few enough files to look at all of them before a turn? Ignored folders do not count. */
export async function isSmall(folder: string, ignored: readonly string[], clock: Clock): Promise<boolean> {
  const untilMs = clock.steadyMs() + MS_MAX;
  const folders = [folder];
  let files = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    files += entries.length;
    if (files > FILES_MAX || clock.steadyMs() > untilMs) return false;
    for (const entry of entries)
      if (entry.isDirectory() && !ignored.includes(`${entry.name}/`) && entry.name !== '.git')
        folders.push(join(next, entry.name));
  }
  return true;
}
