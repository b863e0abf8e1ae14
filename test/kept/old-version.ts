import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '../eventually.ts';

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Files of a build that no process of Outlast loads: the SDK, the web page, and texts for people. */
const NOT_RUN = ['types', 'man', 'page', 'client.js', 'browser.js', 'schemas.json', 'third-party-licences.txt'];

/**
 * The files of a built checkout that its daemon, terminals, agents and command line need: everything that its build
 * wrote, so that a new program is included without being listed here. A recorded version lists its own files.
 */
export function programFiles(checkout: string): string[] {
  const built = readdirSync(join(checkout, 'dist')).filter((name) => !NOT_RUN.includes(name));
  return ['package.json', 'bin/outlast.cjs', ...built.map((name) => `dist/${name}`)];
}

/** Independent of the machine and of the date: ended sessions stay, and no foreign conversations are searched for. */
const CONFIG = {
  retention: { ageMsMax: Number.MAX_SAFE_INTEGER },
  boot: { foreign: 'off' },
  policy: { deferMs: 100, backoff: { msMin: 50, msMax: 500 } },
};

/** The config that is recorded with a version: settings of a user, with paths, as that version wrote them. */
export function customConfig(root: string): object {
  return {
    ...CONFIG,
    agent: 'scripted',
    models: { kept: 'claude-kept-1' },
    pathPrepend: [join(root, 'tools')],
    rules: { deny: ['Bash(kept-forbidden *)'] },
    notices: [
      { name: 'kept', on: ['ended'], command: ['sh', '-c', `echo "$(head -n 1)" >> ${root}/notices`] },
      { name: 'kept-mail', on: ['announced'], email: { to: 'ann@example.org', command: ['true'] }, gapMs: 0 },
    ],
    announce: { shell: 'on', desktop: 'off' },
    quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', except: ['asked', 'held'] },
  };
}

/** The folders of a version that is kept or being recorded: its program, state folder, homes and workspaces. */
export class OldVersion {
  readonly root: string;
  readonly state: string;
  readonly #program: string;
  #daemon: ChildProcess | null = null;

  constructor(root: string, config?: object) {
    this.root = root;
    this.state = join(root, 'state');
    this.#program = join(root, 'program');
    for (const name of ['state', 'homes', 'workspace']) mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
    // The first kept version has no config.
    if (!existsSync(this.config)) writeFileSync(this.config, JSON.stringify(config ?? CONFIG));
    // What cannot be bundled comes from the current checkout.
    const modules = join(root, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(import.meta.dirname, '../../node_modules'), modules);
  }

  get config(): string {
    return join(this.root, 'config.json');
  }

  /** Whether its program has this file: an earlier version may lack one of our agents. */
  has(file: string): boolean {
    return existsSync(join(this.#program, file));
  }

  /** The home of a session. Each is a separate account, where the agent stores its conversations. */
  home(name: string): string {
    const home = join(this.root, 'homes', name);
    mkdirSync(home, { recursive: true });
    return home;
  }

  /** What the tool calls of a session wrote, in order. */
  ledger(name: string): string[] {
    const path = join(this.home(name), 'ledger');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** The notices that were sent, one per line. */
  notices(): string[] {
    const path = join(this.root, 'notices');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Contains nothing of the machine but the paths of Node and the usual programs. */
  env(name = 'nobody'): Record<string, string> {
    return {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: this.home(name),
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      OUTLAST_STATE: this.state,
      OUTLAST_CONFIG: this.config,
    };
  }

  /** Starts its daemon, and waits until it answers. */
  async start(): Promise<void> {
    const output = openSync(join(this.root, 'said'), 'a');
    const daemon = join(this.#program, 'dist/daemon.js');
    this.#daemon = spawn(process.execPath, [daemon], {
      env: this.env(),
      stdio: ['ignore', output, output],
      detached: true,
    });
    closeSync(output);
    const isUp = async (): Promise<boolean> => (await this.cli(['list'])).status === 0;
    await eventually(isUp, { what: 'an old daemon that answers', msMax: 60_000 });
  }

  /** Kills its daemon as a crash would, and waits until it is gone. */
  async kill(): Promise<void> {
    const daemon = this.#daemon;
    this.#daemon = null;
    if (daemon === null || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const gone = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill('SIGKILL');
    await gone;
  }

  /** Runs its command line to the end. */
  cli(words: readonly string[], { name = 'nobody', cwd = '/tmp' } = {}): Promise<Ran> {
    const argv = [join(this.#program, 'dist/cli.cjs'), ...words];
    // It must not start a daemon by itself.
    const env = { ...this.env(name), OUTLAST_DAEMON: '/nonexistent' };
    return new Promise((resolve) => {
      const child = spawn(process.execPath, argv, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      const printed = { stdout: '', stderr: '' };
      for (const from of ['stdout', 'stderr'] as const) child[from].on('data', (bytes) => (printed[from] += bytes));
      child.on('close', (status) => resolve({ status, ...printed }));
    });
  }

  /** Runs its command line, which must succeed. Returns what it printed. */
  async run(words: readonly string[], options: { name?: string; cwd?: string } = {}): Promise<string> {
    const { status, stdout, stderr } = await this.cli(words, options);
    if (status !== 0) throw new Error(`outlast ${words.join(' ')}: ${status} ${stdout}${stderr}`);
    return stdout.trim();
  }
}
