import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OutlastError } from '../../base/errors.ts';
import { makeFolder } from '../../base/files.ts';
import { quotedWord } from '../../base/shell-word.ts';
import { causeText } from '../../base/system-errors.ts';
import { commandFolder } from '../../terminal/run-folder.ts';

/**
 * Installs `outlast` for agents whose PATH has none: the commands in their updates must work, even without a global
 * installation or under a service with a minimal PATH.
 */
export function installCommand(state: string): void {
  const folder = commandFolder(state);
  const path = join(folder, 'outlast');
  const text = `#!/bin/sh\nexec ${quotedWord(process.execPath)} ${quotedWord(program())} "$@"\n`;
  try {
    makeFolder(folder);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
    // The old one may be starting at this moment.
    writeFileSync(`${path}.tmp`, text, { mode: 0o700 });
    renameSync(`${path}.tmp`, path);
  } catch (cause) {
    throw new OutlastError('state_unusable', `cannot write ${path}: ${causeText(cause)}`, { cause });
  }
}

/** From dist, and from the source tree. */
function program(): string {
  const [built, source] = ['../bin/outlast.cjs', '../../../bin/outlast.cjs'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  ) as [string, string];
  return existsSync(built) ? built : source;
}
