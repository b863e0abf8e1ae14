import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a real shell did with a command line. */
export interface Done {
  /** The programs it started, each with its arguments. */
  readonly started: readonly (readonly string[])[];
  /** The paths of the files it created. */
  readonly made: readonly string[];
}

/** Programs that only log that they were started. */
const LOGGERS = ['git', 'ls', 'cat', 'npm', 'evil', 'evilx', 'status', 'gitx', 'a', 'x', 'out'];
/** Programs that log that they were started, and then do their work. */
const REAL = ['env', 'find', 'nice', 'nohup', 'sh', 'timeout', 'xargs'];
const FOLDERS = ['work', 'work/out', 'work/src', 'home', 'bin'];

/** A folder in which a shell can run anything safely: the programs on its PATH log their calls. */
export class ShellWorld implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), 'outlast-rules-'));
  readonly #log = join(this.#root, 'log');
  readonly workspace = join(this.#root, 'work');
  readonly home = join(this.#root, 'home');

  constructor() {
    this.#reset();
    // The exit status varies, so that both sides of && and || run, and loops end.
    for (const name of LOGGERS) this.#program(name, 'exit $(($$ % 7 < 3))');
    for (const name of REAL) this.#program(name, `exec ${which(name)} "$@"`);
    this.#program('sudo', 'exec "$@"');
  }

  /** Runs a command line in a shell, and waits until every process that it started has exited. */
  async run(shell: string, text: string): Promise<Done> {
    const env = { PATH: join(this.#root, 'bin'), HOME: this.home };
    // Nothing is written to descriptor 3: it is closed when the last process of this command line exits.
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe'] as const;
    const child = spawn(shell, ['-c', text], { cwd: this.workspace, env, stdio: [...stdio], detached: true });
    const timeout = AbortSignal.timeout(5_000);
    timeout.onabort = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
    await new Promise((resolve) => child.on('close', resolve));
    timeout.onabort = null;
    return this.#collect();
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #collect(): Done {
    const records = existsSync(this.#log) ? readFileSync(this.#log, 'utf8').split('\x1e').slice(0, -1) : [];
    const files = ['work', 'home'].flatMap((folder) =>
      readdirSync(join(this.#root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const made = files.filter((path) => !path.startsWith(join(this.workspace, 'src/')));
    const done = { started: records.map((record) => record.split('\x1f').slice(0, -1)), made };
    if (records.length > 0 || made.length > 0) this.#reset(made.length > 0);
    return done;
  }

  #reset(all = true): void {
    rmSync(this.#log, { force: true });
    if (!all) return;
    for (const folder of ['work', 'home']) rmSync(join(this.#root, folder), { recursive: true, force: true });
    for (const folder of FOLDERS) mkdirSync(join(this.#root, folder), { recursive: true });
    writeFileSync(join(this.workspace, 'src', 'a.ts'), '');
    // Programs with the same names, for command lines that change PATH.
    for (const name of ['git', 'ls', 'cat']) this.#program(name, 'exit 0', join('work', 'src'), 'evil');
  }

  #program(name: string, then: string, folder = 'bin', as = name): void {
    const path = join(this.#root, folder, name);
    const words = `l=\nfor w in ${as} "$@"; do l="$l$w\x1f"; done\nprintf '%s\\036' "$l" >> '${this.#log}'\n`;
    writeFileSync(path, `#!/bin/sh\n${words}${then}\n`);
    chmodSync(path, 0o755);
  }
}

function which(name: string): string {
  const found = ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path));
  return found ?? `/usr/bin/${name}`;
}
