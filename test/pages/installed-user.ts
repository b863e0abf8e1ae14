import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** The user `nobody` of every Linux, if the tests run as root; otherwise the user who runs them. */
const USER = process.getuid?.() === 0 ? 65_534 : null;
/** What pages show for the home of the user. */
const HOME_SHOWN = '/home/you';
const COLUMNS = 100;

/** A user with an empty home who has installed the package, and types commands into a terminal. */
export class InstalledUser implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ol-user-'));
  readonly home = join(this.folder, 'home');
  readonly work = join(this.home, 'app');
  readonly bin = join(this.folder, 'bin');
  readonly env: Record<string, string>;

  readonly #close: () => unknown;

  /** `close` ends what the world of this user has besides. */
  constructor(env: Readonly<Record<string, string>> = {}, close: () => unknown = () => {}) {
    this.#close = close;
    chmodSync(this.folder, 0o755);
    for (const path of [this.home, this.work, this.bin]) mkdirSync(path);
    this.#install();
    this.env = {
      HOME: this.home,
      PATH: `${this.bin}:/usr/local/bin:/usr/bin:/bin`,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...env,
    };
    this.own(this.home);
    this.own(this.work);
  }

  /** Makes a file or folder the user's. */
  own(path: string): void {
    if (USER !== null) chownSync(path, USER, USER);
  }

  /** A file in the folder that the user works in. */
  write(name: string, text: string): void {
    const path = join(this.work, name);
    mkdirSync(dirname(path), { recursive: true });
    this.own(dirname(path));
    writeFileSync(path, text);
    this.own(path);
  }

  /** What a command prints on a terminal, without its colours or with them. */
  async type(command: string, look: 'plain' | 'coloured' = 'plain'): Promise<string> {
    // The commands of a page are typed into one shell; each here gets its own, in the same folder.
    const line = `stty cols ${COLUMNS} rows 40; ${command}`;
    const user = USER === null ? [] : ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--'];
    const [program = '', ...words] = [...user, 'script', '-qefc', `bash -c ${quoted(line)}`, '/dev/null'];
    const env = { ...this.env, ...(look === 'plain' && { NO_COLOR: '1' }) };
    const child = spawn(program, words, { cwd: this.work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    await new Promise((resolve) => child.once('close', resolve));
    return shown(Buffer.concat(chunks).toString(), look).replaceAll(this.home, HOME_SHOWN);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.type('outlast stop --all --now; outlast daemon stop');
    await this.#close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As `npm install --global` does it, without a network. */
  #install(): void {
    const words = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', this.folder];
    const name = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }).trim();
    const installed = join(this.folder, 'lib/outlast');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', join(this.folder, name), '-C', installed, '--strip-components', '1']);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const each of [...Object.keys(dependencies), `@lydell/node-pty-${process.platform}-${process.arch}`]) {
      const at = join(installed, 'node_modules', each);
      mkdirSync(dirname(at), { recursive: true });
      cpSync(join(ROOT, 'node_modules', each), at, { recursive: true, dereference: true });
    }
    // Where this Node is, another user may not enter.
    cpSync(process.execPath, join(this.bin, 'node'));
    symlinkSync('../lib/outlast/bin/outlast.cjs', join(this.bin, 'outlast'));
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The lines as a terminal shows them: without sequences, and a line that was written over as it was at last. */
function shown(text: string, look: 'plain' | 'coloured'): string {
  return text
    .replaceAll(/\x1b\[[0-2]?K/g, '\r')
    .replaceAll(look === 'plain' ? /\x1b\[[\d;?]*[ -/]*[@-~]/g : /\x1b\[[\d;?]*[ -/]*[@-ln-~]/g, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\r').at(-1) ?? '')
    .join('\n')
    .trimEnd();
}
