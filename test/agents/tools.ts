import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a folder with links to every program of this machine except tmux. */
export function toolsWithoutTmux(root: string): string {
  const folder = join(root, 'tools');
  mkdirSync(folder);
  for (const from of ['/usr/bin', '/bin', '/usr/sbin'])
    for (const name of readdirSync(from))
      if (name !== 'tmux' && !existsSync(join(folder, name)))
        quietly(() => symlinkSync(join(from, name), join(folder, name)));
  return folder;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // A broken link.
  }
}
