import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OutlastError } from '../base/errors.ts';
import { causeText } from '../base/system-errors.ts';

/** Our small programs, copied to the state folder, where no upgrade can change them under a running session. */
export interface Programs {
  /** `<state>/programs/<hash>`; a new version gets a new folder. */
  readonly folder: string;
  readonly launcher: string;
  /** The path of any installed file. */
  path(name: string): string;
}

/** The PATH of our own programs. The caller's PATH is for the caller's command only. */
export const PROGRAM_PATH =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin:/run/current-system/sw/bin';

/** Copies launcher.sh, and more files from beside this module, into the state folder. Copying twice is harmless. */
export function installPrograms(state: string, more: readonly string[] = []): Programs {
  const files = ['launcher.sh', ...more].map((name) => ({ name, content: source(name) }));
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.name}\0${file.content.length}\0`).update(file.content);
  const folder = join(state, 'programs', hash.digest('hex').slice(0, 16));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const file of files) install(join(folder, file.name), file.content);
  } catch (cause) {
    throw new OutlastError('state_unusable', `cannot copy our programs to ${folder}: ${causeText(cause)}`, { cause });
  }
  return { folder, launcher: join(folder, 'launcher.sh'), path: (name) => join(folder, name) };
}

/** Beside this module: in src/terminal, and in dist, where the build copies them. */
function source(name: string): Buffer {
  return readFileSync(new URL(`./${name}`, import.meta.url));
}

function install(path: string, content: Buffer): void {
  // A power cut may have left an empty file with the right name.
  if (isSame(path, content)) return;
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content, { mode: 0o500 });
  renameSync(temporary, path);
}

function isSame(path: string, content: Buffer): boolean {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}
