import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A program from npm that tests run, at a pinned version. */
export interface Pinned {
  readonly name: string;
  readonly version: string;
  /** What it is called in the cache, and in the line that says that it is fetched. */
  readonly short: string;
  readonly megabytes: number;
  /** Its script, within the package. */
  readonly script: string;
}

/** The path of the program, in the cache outside the checkout; installs it if needed. Throws when it cannot. */
export function pinnedProgram(pinned: Pinned): string {
  if (!pinnedIsHere(pinned)) install(pinned);
  return programIn(folderOf(pinned), pinned);
}

/** Is it installed? */
export function pinnedIsHere(pinned: Pinned): boolean {
  return existsSync(programIn(folderOf(pinned), pinned));
}

function folderOf({ short, version }: Pinned): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outlast', `${short}-${version}`);
}

function programIn(place: string, { name, script }: Pinned): string {
  return join(place, 'node_modules', name, script);
}

function install(pinned: Pinned): void {
  const { name, version, short, megabytes } = pinned;
  process.stderr.write(`outlast: fetching ${short} ${version} for the tests (about ${megabytes} MB)\n`);
  const folder = folderOf(pinned);
  // Into a temporary folder first: two set-ups at once, or an interrupted one, leave no partial install behind.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    writeFileSync(join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', args, { cwd: fresh, stdio: ['ignore', 2, 2] });
    if (status !== 0 || !existsSync(programIn(fresh, pinned)))
      throw new Error(`npm did not install ${name} ${version}`);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
