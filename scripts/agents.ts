// Installs the real agents that test/e2e-real runs, at pinned versions, into the cache outside the checkout.
//   node scripts/agents.ts            all of them
//   node scripts/agents.ts 2.1.325    one version of Claude Code
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';

const AGENTS = join(import.meta.dirname, '../test/e2e-real/agents');
const PREFIX = 'claude-';

/** The versions of Claude Code that the tests run, oldest first. */
export function agentVersions(): string[] {
  const number = (version: string): number => Number(version.split('.').at(-1));
  return readdirSync(AGENTS)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .sort((a, b) => number(a) - number(b));
}

/** The path of the native Claude Code of this version; installs it if needed. Throws when it cannot. */
export function agentProgram(version: string): string {
  const pinned = join(AGENTS, `${PREFIX}${version}`, 'package.json');
  if (!existsSync(pinned)) throw new Error(`no Claude Code ${version} in ${AGENTS}: ${agentVersions().join(', ')}`);
  const folder = folderOf(version);
  const program = programIn(folder);
  if (!existsSync(program)) install(version, pinned, folder);
  if (!existsSync(program)) throw new Error(`Claude Code ${version} was installed, but there is no ${program}`);
  return program;
}

/** Is this version installed? */
export function agentIsHere(version: string): boolean {
  return existsSync(programIn(folderOf(version)));
}

function folderOf(version: string): string {
  return join(cacheFolder(), `${PREFIX}${version}`);
}

function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outlast', 'agents');
}

/** The binary itself, not the link that a postinstall script would make: that script is not run. */
function programIn(folder: string): string {
  return join(folder, 'node_modules', '@anthropic-ai', `claude-code-${platform()}-${arch()}`, 'claude');
}

function install(version: string, pinned: string, folder: string): void {
  process.stderr.write(`outlast: fetching Claude Code ${version} for the tests (about 250 MB)\n`);
  // Into a temporary folder first: two set-ups at once, or an interrupted one, leave no partial agent behind.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    copyFileSync(pinned, join(fresh, 'package.json'));
    npmInstall(version, fresh);
    checkVersion(version, programIn(fresh));
    if (existsSync(programIn(folder))) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function npmInstall(version: string, folder: string): void {
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`Claude Code ${version} could not be installed: npm failed (see above)`);
}

function checkVersion(version: string, program: string): void {
  if (!existsSync(program)) throw new Error(`npm installed no ${program}: has Claude Code ${version} this platform?`);
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  if (!said.startsWith(version)) throw new Error(`${program} should be ${version}, but reports ${said.trim()}`);
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  for (const version of wanted.length > 0 ? wanted : agentVersions()) {
    process.stdout.write(`${agentProgram(version)}\n`);
  }
}
