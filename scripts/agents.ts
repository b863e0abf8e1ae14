// Installs the real agents that test/e2e-real runs, at pinned versions, into the cache outside the checkout.
//   node scripts/agents.ts            all of them
//   node scripts/agents.ts claude-2.1.197
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { join } from 'node:path';

const AGENTS = join(import.meta.dirname, '../test/e2e-real/agents');

/** A real agent that tests run. */
interface Installed {
  readonly title: string;
  readonly megabytes: number;
  /** The binary itself, not the script or link of its package: a postinstall script is not run. */
  readonly program: string;
}

const MUSL = { x64: 'x86_64-unknown-linux-musl', arm64: 'aarch64-unknown-linux-musl' } as const;

const KINDS = {
  claude: {
    title: 'Claude Code',
    megabytes: 250,
    program: `@anthropic-ai/claude-code-${platform()}-${arch()}/claude`,
  },
  codex: {
    title: 'Codex',
    megabytes: 440,
    program: `@openai/codex-${platform()}-${arch()}/vendor/${MUSL[arch() as keyof typeof MUSL]}/bin/codex`,
  },
  opencode: {
    title: 'OpenCode',
    megabytes: 180,
    program: `opencode-${platform()}-${arch()}/bin/opencode`,
  },
  copilot: {
    title: 'Copilot CLI',
    megabytes: 190,
    program: `@github/copilot-${platform()}-${arch()}/copilot`,
  },
  // A script of Node is the agent itself.
  pi: { title: 'pi', megabytes: 160, program: '@earendil-works/pi-coding-agent/dist/bundle/cli.js' },
  gemini: { title: 'Gemini CLI', megabytes: 100, program: '@google/gemini-cli/bundle/gemini.js' },
  goose: {
    title: 'Goose',
    megabytes: 290,
    program: `@aaif/goose-binary-${platform()}-${arch()}/bin/goose`,
  },
  // The script of the package: Outlast finds the agent itself beside it.
  qwen: { title: 'Qwen Code', megabytes: 150, program: '@qwen-code/qwen-code/cli-entry.js' },
} as const satisfies Readonly<Record<string, Installed>>;

export type RealAgent = keyof typeof KINDS;

/** The agents that the tests run, as `claude-2.1.197`, oldest version first. */
export function realAgents(): string[] {
  const number = (name: string): number => Number(name.split('.').at(-1));
  const names = readdirSync(AGENTS).filter((name) => kindIn(name) !== null);
  return names.sort((a, b) => number(a) - number(b));
}

/** The versions of an agent that the tests run, oldest first. */
export function agentVersions(kind: RealAgent = 'claude'): string[] {
  return realAgents().flatMap((name) => (kindIn(name) === kind ? name.slice(kind.length + 1) : []));
}

/** The path of the native program of an agent; installs it if needed. Throws when it cannot. */
export function agentProgram(version: string, kind: RealAgent = 'claude'): string {
  const name = `${kind}-${version}`;
  const { title } = KINDS[kind];
  const pinned = join(AGENTS, name, 'package.json');
  if (!existsSync(pinned)) throw new Error(`no ${title} ${version} in ${AGENTS}: ${realAgents().join(', ')}`);
  const folder = agentFolder(name);
  const program = programIn(folder, kind);
  if (!existsSync(program)) install({ kind, version, pinned, folder });
  if (!existsSync(program)) throw new Error(`${title} ${version} was installed, but there is no ${program}`);
  return program;
}

/** Is this version installed? */
export function agentIsHere(version: string, kind: RealAgent = 'claude'): boolean {
  return existsSync(programIn(agentFolder(`${kind}-${version}`), kind));
}

/** Installs an agent that `realAgents` names. */
export function installAgentNamed(name: string): string {
  const kind = kindIn(name);
  if (kind === null) throw new Error(`there is no agent ${name}; available: ${realAgents().join(', ')}`);
  return agentProgram(name.slice(kind.length + 1), kind);
}

/** Where an agent of the tests is installed. */
export function agentFolder(name: string): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'outlast', 'agents', name);
}

function kindIn(name: string): RealAgent | null {
  const [word = ''] = name.split('-');
  return Object.hasOwn(KINDS, word) ? (word as RealAgent) : null;
}

function programIn(folder: string, kind: RealAgent): string {
  return join(folder, 'node_modules', KINDS[kind].program);
}

/** An installation to make. */
interface Wanted {
  readonly kind: RealAgent;
  readonly version: string;
  readonly pinned: string;
  readonly folder: string;
}

function install({ kind, version, pinned, folder }: Wanted): void {
  const { title, megabytes } = KINDS[kind];
  process.stderr.write(`outlast: fetching ${title} ${version} for the tests (about ${megabytes} MB)\n`);
  // Into a temporary folder first: two set-ups at once, or an interrupted one, leave no partial agent behind.
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    copyFileSync(pinned, join(fresh, 'package.json'));
    npmInstall(`${title} ${version}`, fresh);
    checkVersion(`${title} ${version}`, version, programIn(fresh, kind));
    if (existsSync(programIn(folder, kind))) return;
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function npmInstall(what: string, folder: string): void {
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${what} could not be installed: npm failed (see above)`);
}

function checkVersion(what: string, version: string, program: string): void {
  if (!existsSync(program)) throw new Error(`npm installed no ${program}: has ${what} this platform?`);
  const said = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const found = /\d+(\.\d+)+/.exec(said)?.[0];
  if (found !== version) throw new Error(`${program} should be ${version}, but reports ${said.trim()}`);
}

if (import.meta.main) {
  const wanted = process.argv.slice(2);
  for (const name of wanted.length > 0 ? wanted : realAgents()) process.stdout.write(`${installAgentNamed(name)}\n`);
}
