import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually } from '../eventually.ts';

const ROOT = join(import.meta.dirname, '../..');
const NODE = '/opt/box/node/bin/node';
const USER_ID = '4242';

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A separate machine: systemd, logind, a bus, and one user named ana. */
export class SystemdBox implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'outlast-box-'));
  readonly #group: string;
  readonly #outer: ChildProcess;
  #said = '';
  #boots = 0;

  constructor() {
    if (process.getuid?.() !== 0)
      throw new Error('a separate machine needs root: namespaces, mounts and a control group');
    const box = join(this.#folder, 'box');
    mkdirSync(box);
    // On a machine with cgroup v1 the v2 hierarchy is below unified.
    const top = ['/sys/fs/cgroup/unified', '/sys/fs/cgroup'].find((path) => existsSync(join(path, 'cgroup.procs')));
    this.#group = join(top ?? '/sys/fs/cgroup', `outlast-box-${process.pid}`);
    mkdirSync(this.#group, { recursive: true });
    const script = join(import.meta.dirname, 'systemd-box.sh');
    const enter = `echo $$ > ${this.#group}/cgroup.procs && exec unshare -m sh "$@"`;
    const words = ['-c', enter, 'sh', script, box, dirname(dirname(process.execPath)), ROOT];
    this.#outer = spawn('sh', words, { stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.#outer.stdout, this.#outer.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#said += chunk.toString('utf8');
      });
    }
  }

  /** Switches it on, and waits until the units of the machine are up. */
  async boot(): Promise<void> {
    this.#boots += 1;
    const id = join(this.#folder, `boot-${this.#boots}`);
    writeFileSync(id, `00000000-0000-4000-8000-${String(this.#boots).padStart(12, '0')}\n`);
    this.#outer.stdin?.write(`${id}\n`);
    const isUp = (): boolean => /^(running|degraded)$/m.test(this.root('systemctl is-system-running').out);
    await eventually(isUp, { what: 'a machine that is up', msMax: 60_000 }).catch((error) => this.#fail(error));
  }

  /** Runs a line of shell as the user, with the environment of a login. */
  ana(line: string): Ran {
    const env = [
      `HOME=/home/ana`,
      'USER=ana',
      `PATH=/opt/box/node/bin:/usr/bin:/bin`,
      `XDG_RUNTIME_DIR=/run/user/${USER_ID}`,
    ];
    const user = ['setpriv', '--reuid', USER_ID, '--regid', USER_ID, '--clear-groups'];
    const script = `cd; outlast() { ${NODE} /opt/box/outlast/bin/outlast.cjs "$@"; }; ${line}`;
    return this.#inside([...user, 'env', '-i', ...env, 'sh', '-c', script]);
  }

  root(line: string): Ran {
    return this.#inside(['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'sh', '-c', line]);
  }

  /** Waits until the machine is off. */
  async off(): Promise<void> {
    const isOver = (): boolean => this.#said.split('\n').filter((line) => line === 'over').length === this.#boots;
    await eventually(isOver, { what: 'the end of the machine', msMax: 120_000 }).catch((error) => this.#fail(error));
  }

  /** Ends the machine at once, as a power failure does. */
  async cut(): Promise<void> {
    process.kill(this.#init(), 'SIGKILL');
    await this.off();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const init = this.#outer.exitCode === null ? this.#pids(this.#outer.pid ?? 0) : [];
    for (const pid of init) for (const child of this.#pids(pid)) process.kill(child, 'SIGKILL');
    this.#outer.stdin?.end();
    await eventually(() => this.#outer.exitCode !== null || this.#outer.signalCode !== null, {
      what: 'the end of the box',
    });
    await eventually(() => removeGroup(this.#group), { what: 'an empty control group' });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #fail(error: Error): never {
    throw new Error(`${error.message}\nOutput of the machine:\n${this.#said}`);
  }

  #inside(argv: readonly string[]): Ran {
    const init = this.#init();
    if (init === 0) return { status: null, out: '', err: 'the machine is off' };
    const words = ['-t', String(init), '-m', '-p', '-u', '-i', '-n', '-C', ...argv];
    const ran = spawnSync('nsenter', words, { encoding: 'utf8', timeout: 90_000, killSignal: 'SIGKILL' });
    return { status: ran.status, out: ran.stdout, err: ran.stderr };
  }

  /** Its pid 1, as a pid of this host. */
  #init(): number {
    const [unshare = 0] = this.#pids(this.#outer.pid ?? 0);
    return this.#pids(unshare)[0] ?? 0;
  }

  #pids(parent: number): number[] {
    try {
      const text = readFileSync(`/proc/${parent}/task/${parent}/children`, 'latin1');
      return text.split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  }
}

function removeGroup(group: string): boolean {
  if (!existsSync(group)) return true;
  const below = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  try {
    for (const { name } of below) removeGroup(join(group, name));
    rmdirSync(group);
    return true;
  } catch {
    return false;
  }
}
