// Installs the official inspector of the Model Context Protocol, at a pinned version, into the cache outside the checkout.
//   node scripts/inspector.ts
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const VERSION = '2.12.0';
const NAME = '@modelcontextprotocol/inspector';

/** The program of the inspector; installs it if needed. Throws when it cannot. */
export function inspectorProgram(): string {
  if (!inspectorIsHere()) install();
  return programIn(folder());
}

/** Is it installed? */
export function inspectorIsHere(): boolean {
  return existsSync(programIn(folder()));
}

function folder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outlast', `inspector-${VERSION}`);
}

function programIn(place: string): string {
  return join(place, 'node_modules', NAME, 'clients', 'launcher', 'build', 'index.js');
}

function install(): void {
  process.stderr.write(`outlast: fetching the MCP inspector ${VERSION} for the tests (about 110 MB)\n`);
  // Into a temporary folder first: two set-ups at once, or an interrupted one, leave no partial install behind.
  const fresh = `${folder()}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    writeFileSync(join(fresh, 'package.json'), JSON.stringify({ private: true, dependencies: { [NAME]: VERSION } }));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { status } = spawnSync('npm', args, { cwd: fresh, stdio: ['ignore', 2, 2] });
    if (status !== 0 || !existsSync(programIn(fresh))) throw new Error(`npm did not install ${NAME} ${VERSION}`);
    rmSync(folder(), { recursive: true, force: true });
    renameSync(fresh, folder());
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${inspectorProgram()}\n`);
