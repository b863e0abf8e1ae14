import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type Outlast } from '../src/client/index.ts';
import { COMPILED } from './compiled.ts';
import { eventually } from './eventually.ts';

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');

/** The built daemon, for clients that start it themselves: the one in the source tree takes a second to load. */
export const DAEMON = join(import.meta.dirname, '../dist/daemon.js');

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface WorldOptions {
  /** The state folder; else a fresh one. */
  readonly state?: string;
  readonly config?: object;
  /** An existing config file, which is used as it is; else one is written from `config`. */
  readonly configFile?: string;
  /** A command that runs the daemon, e.g. strace or prlimit. */
  readonly wrap?: readonly string[];
}

/** One daemon with its own state folder, and ways to kill and restart it. */
export class World implements AsyncDisposable {
  readonly state: string;
  readonly client: Outlast;
  readonly env: NodeJS.ProcessEnv;
  readonly #wrap: readonly string[];
  #daemon: ChildProcess | null = null;

  constructor(options: WorldOptions = {}) {
    this.state = options.state ?? mkdtempSync(join(tmpdir(), 'outlast-'));
    mkdirSync(this.state, { recursive: true });
    this.#wrap = options.wrap ?? [];
    const config = options.configFile ?? join(this.state, 'config.json');
    if (options.configFile === undefined) writeFileSync(config, JSON.stringify(options.config ?? {}));
    // Agents write into HOME, and tests must not touch the real one.
    const home = join(this.state, 'home');
    mkdirSync(home, { recursive: true });
    // Tests show nothing on the desktop of the machine that they run on.
    const bus = { DBUS_SESSION_BUS_ADDRESS: 'disabled:' };
    const own = {
      ...bus,
      OUTLAST_STATE: this.state,
      OUTLAST_CONFIG: config,
      HOME: home,
      XDG_STATE_HOME: '/nonexistent',
    };
    // Code is compiled once for all tests: compiling takes a fifth of a start, and there are many hundreds of starts.
    const shared = { XDG_CACHE_HOME: COMPILED };
    this.env = { ...process.env, ...own, ...shared };
    this.client = connect({ state: this.state, start: false, env: this.env });
  }

  /** Starts the daemon and waits until it answers. */
  async start(msMax = 50_000): Promise<number> {
    const argv = [...this.#wrap, process.execPath, DAEMON];
    const output = openSync(join(this.state, 'said'), 'w');
    const stdio: StdioOptions = ['ignore', output, output];
    const daemon = spawn(argv[0] ?? '', argv.slice(1), { env: this.env, stdio, detached: true });
    closeSync(output);
    this.#daemon = daemon;
    const died = new Promise<never>((_, reject) =>
      daemon.once('exit', (...how) => reject(new Error(`the daemon died: ${how} ${read(join(this.state, 'said'))}`))),
    );
    died.catch(() => {});
    // A call before there is a socket costs the test more than the daemon needs to answer one.
    const hasSocket = (): boolean => existsSync(join(this.state, 'daemon.sock'));
    const answer = async () => (hasSocket() ? this.client.daemonStatus() : null);
    const answers = eventually(answer, { what: 'a daemon that answers', msMax });
    answers.catch(() => {});
    return (await Promise.race([answers, died])).pid;
  }

  /** Kills the daemon as the kernel would, and waits until it is gone. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const daemon = this.#daemon;
    if (daemon === null) return;
    this.#daemon = null;
    const gone = new Promise((resolve) => daemon.once('exit', resolve));
    if (daemon.exitCode !== null || daemon.signalCode !== null) return;
    if (daemon.pid !== undefined) process.kill(this.#wrap.length > 0 ? -daemon.pid : daemon.pid, signal);
    await gone;
  }

  async restart(): Promise<number> {
    await this.kill();
    return this.start();
  }

  /** Runs the command line to its end. */
  cli(
    args: readonly string[],
    options: { input?: string | Buffer; env?: NodeJS.ProcessEnv; cwd?: string } = {},
  ): Promise<Ran> {
    return new Promise((resolve) => {
      const env = { ...this.env, ...options.env };
      const child = spawn(process.execPath, [BIN, ...args], {
        env,
        cwd: options.cwd ?? tmpdir(),
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const parts: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
      child.stdout.on('data', (chunk) => parts.stdout.push(chunk));
      child.stderr.on('data', (chunk) => parts.stderr.push(chunk));
      child.stdin.on('error', () => {});
      child.stdin.end(options.input ?? '');
      const text = (name: 'stdout' | 'stderr'): string => Buffer.concat(parts[name]).toString('utf8');
      child.on('close', (status) => resolve({ status, stdout: text('stdout'), stderr: text('stderr') }));
    });
  }

  /** The events of a session, by type. */
  async events(session: string): Promise<string[]> {
    const types: string[] = [];
    for await (const event of this.client.events({ session })) types.push(event.event);
    return types;
  }

  /** What the daemon printed, for example before it exited. */
  printed(): string {
    return read(join(this.state, 'said'));
  }

  log(): string {
    const path = join(this.state, 'daemon.log');
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  /** Kills everything that was started here, and fails if some process survives. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close();
    await this.kill();
    const remove = (): boolean => {
      if (this.#killAll() > 0) return false;
      for (const group of this.#groups()) quietly(() => rmdirSync(group));
      // A process that has been started since, and is not known by its folder yet, may write into it: then once more.
      rmSync(this.state, { recursive: true, force: true });
      return true;
    };
    await eventually(remove, { what: 'the end of every process of this test, and of its folder' });
  }

  /** Kills all processes and returns their number: a process that is killed may just have started another. */
  #killAll(): number {
    const pids = this.#processes();
    for (const pid of pids) quietly(() => process.kill(pid, 'SIGKILL'));
    return pids.length;
  }

  /** The cgroups that limit the memory of runs. A launcher that was killed leaves its own behind. */
  #groups(): string[] {
    const sessions = join(this.state, 'sessions');
    const paths = existsSync(sessions) ? readdirSync(sessions, { recursive: true, encoding: 'utf8' }) : [];
    return paths.filter((path) => /\/runs\/\d+\/cgroup$/.test(path)).map((path) => read(join(sessions, path)).trim());
  }

  /**
   * All processes of this state folder: runs are found by their run marker; daemons, holders and tmux servers by their
   * command line.
   */
  #processes(): number[] {
    const ids = existsSync(join(this.state, 'sessions')) ? readdirSync(join(this.state, 'sessions')) : [];
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
      const words = read(`/proc/${name}/cmdline`);
      // Kernel threads and zombies have no arguments, and are half of all processes.
      if (words === '') return [];
      const environ = read(`/proc/${name}/environ`);
      const isOurs =
        words.includes(`${this.state}/`) ||
        environ.includes(`OUTLAST_STATE=${this.state}\0`) ||
        ids.some((id) => environ.includes(`OUTLAST_RUN=${id}.`));
      return isOurs && !/\) Z /.test(read(`/proc/${name}/stat`)) ? [Number(name)] : [];
    });
  }
}

/** A world with a daemon in it. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const world = new World(options);
  try {
    await world.start();
    return world;
  } catch (error) {
    await world[Symbol.asyncDispose]();
    throw error;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The process or folder is gone already.
  }
}
