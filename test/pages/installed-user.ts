import { execFileSync } from 'node:child_process';
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
import { dirname, join, relative } from 'node:path';
import { Shell, shownLines } from './shell.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The user `nobody` of every Linux, if the tests run as root; otherwise the user who runs them. */
const USER = process.getuid?.() === 0 ? 65_534 : null;
/** What pages show for the home of the user. */
const HOME_SHOWN = '/home/you';
const AS_USER = USER === null ? [] : ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', '--'];
const LOOKS = { plain: { NO_COLOR: '1' }, coloured: {} } as const;

/** A user with an empty home who has installed the package, and types commands into a terminal. */
export class InstalledUser implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'ol-user-'));
  readonly home = join(this.folder, 'home');
  readonly work = join(this.home, 'app');
  readonly bin = join(this.folder, 'bin');
  readonly env: Record<string, string>;

  readonly #close: () => unknown;
  #shell: Shell | null = null;

  /** `close` ends what the world of this user has besides. */
  constructor(env: Readonly<Record<string, string>> = {}, close: () => unknown = () => {}) {
    this.#close = close;
    chmodSync(this.folder, 0o755);
    for (const path of [this.home, this.work, this.bin]) mkdirSync(path);
    this.env = {
      HOME: this.home,
      PATH: `${this.bin}:${join(installed(), 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      TERM: 'xterm-256color',
      npm_config_prefix: installed(),
      ...env,
    };
    this.own(this.home);
    this.own(this.work);
  }

  /** Makes a file or folder the user's. */
  own(path: string): void {
    if (USER !== null) chownSync(path, USER, USER);
  }

  /** A file in the folder that the user works in, or in another one. */
  write(name: string, text: string | Buffer, folder = this.work): void {
    const path = join(folder, name);
    for (let at = folder; at !== dirname(path); ) {
      at = join(at, relative(at, path).split('/')[0] ?? '');
      mkdirSync(at, { recursive: true });
      this.own(at);
    }
    writeFileSync(path, text);
    this.own(path);
  }

  /** A program on the PATH of the user. */
  program(name: string, text: string): void {
    writeFileSync(join(this.bin, name), text, { mode: 0o755 });
  }

  /** What a command prints on a terminal, without its colours or with them. All are typed into one shell. */
  async type(command: string, look: 'plain' | 'coloured' = 'plain', keys: readonly string[] = []): Promise<string> {
    this.#shell ??= new Shell({ argv: AS_USER, cwd: this.work, env: { ...this.env, ...LOOKS[look] } });
    const text = await this.#shell.type(command, keys);
    const lines = look === 'plain' ? await shownLines(text) : colouredLines(text);
    return lines.replaceAll(this.home, HOME_SHOWN).replaceAll(installed(), '/usr/local');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // In a shell of its own: something may still run in the other one.
    this.#shell?.close();
    const last = new Shell({ argv: AS_USER, cwd: '/', env: this.env });
    await last.type('outlast stop --all --now; outlast daemon stop');
    last.close();
    await this.#close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

let made: string | null = null;

function installed(): string {
  made ??= install();
  return made;
}

/** The package and a Node, as `npm install --global` leaves them but without a network. Made once for all users. */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ol-installed-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const words = ['pack', '--ignore-scripts', '--offline', '--silent', '--pack-destination', folder];
  const name = execFileSync('npm', words, { cwd: ROOT, encoding: 'utf8' }).trim();
  const installed = join(folder, 'lib/node_modules/outlast');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, name), '-C', installed, '--strip-components', '1']);
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const each of [...Object.keys(dependencies), `@lydell/node-pty-${process.platform}-${process.arch}`]) {
    const at = join(installed, 'node_modules', each);
    mkdirSync(dirname(at), { recursive: true });
    cpSync(join(ROOT, 'node_modules', each), at, { recursive: true, dereference: true });
  }
  mkdirSync(join(folder, 'bin'));
  // Where this Node is, another user may not enter.
  cpSync(process.execPath, join(folder, 'bin/node'));
  symlinkSync('../lib/node_modules/outlast/bin/outlast.cjs', join(folder, 'bin/outlast'));
  return folder;
}

/** The lines with their colours; a line that was written over is as it was at last. */
function colouredLines(text: string): string {
  return text
    .replaceAll(/\x1b\[[0-2]?K/g, '\r')
    .replaceAll(/\x1b\[[\d;?]*[ -/]*[@-ln-~]/g, '')
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\r').at(-1) ?? '')
    .join('\n')
    .trimEnd();
}
