// Installs OpenClaw, at a pinned version, into the cache outside the checkout.
//   node scripts/openclaw.ts
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const NAME = 'openclaw-2026.9.6';
const PINNED = join(import.meta.dirname, '../test/e2e-real/agents', NAME, 'package.json');

/** The OpenClaw program, to be run by Node; installs it if needed. Throws when it cannot. */
export function openclawProgram(): string {
  if (!openclawIsHere()) install();
  return programIn(folder());
}

/** Is it installed? */
export function openclawIsHere(): boolean {
  return existsSync(programIn(folder()));
}

function folder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outlast', 'agents', NAME);
}

function programIn(place: string): string {
  return join(place, 'node_modules', 'openclaw', 'openclaw.mjs');
}

function install(): void {
  process.stderr.write(`outlast: fetching ${NAME} for the tests (about 600 MB)\n`);
  // Into a temporary folder first: two set-ups at once, or an interrupted one, leave no partial install behind.
  const fresh = `${folder()}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    copyFileSync(PINNED, join(fresh, 'package.json'));
    const args = ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', args, { cwd: fresh, stdio: ['ignore', 2, 2] });
    if (status !== 0 || !existsSync(programIn(fresh))) throw new Error(`npm did not install ${NAME}`);
    if (openclawIsHere()) return;
    rmSync(folder(), { recursive: true, force: true });
    renameSync(fresh, folder());
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${openclawProgram()}\n`);
