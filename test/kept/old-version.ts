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

/** What a build writes that no process of Outlast loads: the SDK, and texts for people. */
const NOT_RUN = ['types', 'client.js', 'browser.js', 'schemas.json', 'third-party-licences.txt'];

/**
 * The files of a built checkout that its daemon, terminals, agents and command line need: all that its own build wrote,
 * so that a new program is kept without being named here. A record names its files itself.
 */
export function programFiles(checkout: string): string[] {
  const built = readdirSync(join(checkout, 'dist')).filter((name) => !NOT_RUN.includes(name));
  return ['package.json', 'bin/outlast.cjs', ...built.map((name) => `dist/${name}`)];
}

/** Nothing by which it would depend on the machine or on the day: what ended long ago stays, nobody is looked for. */
const CONFIG = {
  retention: { ageMsMax: Number.MAX_SAFE_INTEGER },
  boot: { foreign: 'off' },
  policy: { deferMs: 100, backoff: { msMin: 50, msMax: 500 } },
};

/** The config that is recorded with a version: a user's own choices, with paths, as that version wrote them. */
export function customConfig(root: string): object {
  return {
    ...CONFIG,
    agent: 'scripted',
    models: { kept: 'claude-kept-1' },
    pathPrepend: [join(root, 'tools')],
    rules: { deny: ['Bash(kept-forbidden *)'] },
    notices: [{ name: 'kept', on: ['ended'], command: ['sh', '-c', `echo "$(head -n 1)" >> ${root}/notices`] }],
  };
}

/** The folders of a version that is kept, or recorded: its program, its state folder, homes and workspaces. */
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
    // The first version was kept without its config.
    if (!existsSync(this.config)) writeFileSync(this.config, JSON.stringify(config ?? CONFIG));
    // The one thing that cannot be bundled comes from today.
    const modules = join(root, 'node_modules');
    if (!existsSync(modules)) symlinkSync(join(import.meta.dirname, '../../node_modules'), modules);
  }

  get config(): string {
    return join(this.root, 'config.json');
  }

  /** Whether its program has this file: an earlier one may not have an agent of ours. */
  has(file: string): boolean {
    return existsSync(join(this.#program, file));
  }

  /** The home of a session: an account of its own, where the agent keeps its conversations. */
  home(name: string): string {
    const home = join(this.root, 'homes', name);
    mkdirSync(home, { recursive: true });
    return home;
  }

  /** What a session did, in the order in which it did it. */
  ledger(name: string): string[] {
    const path = join(this.home(name), 'ledger');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** What people were told, a line each. */
  notices(): string[] {
    const path = join(this.root, 'notices');
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Nothing of the machine but where Node and the usual programs are. */
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
    const said = openSync(join(this.root, 'said'), 'a');
    const daemon = join(this.#program, 'dist/daemon.js');
    this.#daemon = spawn(process.execPath, [daemon], {
      env: this.env(),
      stdio: ['ignore', said, said],
      detached: true,
    });
    closeSync(said);
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
    // It must not bring up a daemon by itself.
    const env = { ...this.env(name), OUTLAST_DAEMON: '/nonexistent' };
    return new Promise((resolve) => {
      const child = spawn(process.execPath, argv, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { stdout: '', stderr: '' };
      for (const from of ['stdout', 'stderr'] as const) child[from].on('data', (bytes) => (said[from] += bytes));
      child.on('close', (status) => resolve({ status, ...said }));
    });
  }

  /** The same; it must succeed. Gives what it printed. */
  async says(words: readonly string[], options: { name?: string; cwd?: string } = {}): Promise<string> {
    const { status, stdout, stderr } = await this.cli(words, options);
    if (status !== 0) throw new Error(`outlast ${words.join(' ')}: ${status} ${stdout}${stderr}`);
    return stdout.trim();
  }
}
