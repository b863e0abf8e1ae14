import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';

// Real interactive shells on a terminal, each with the hook of `outlast shell-init` and a hook of its user.

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());
const shells = join(world.state, 'shells');

interface Kind {
  readonly args: (folder: string) => string[];
  readonly file: string;
  readonly rc: string;
  readonly fail: string;
}

const OUTLAST = `outlast() { '${process.execPath}' '${BIN}' "$@"; }`;
const KINDS: Readonly<Record<string, Kind>> = {
  bash: {
    args: (folder) => ['--noprofile', '--rcfile', join(folder, 'rc'), '-i'],
    file: 'rc',
    // Options and a hook that a careless hook of ours would break on.
    rc: `${OUTLAST}\nset -u; set -o noglob; alias rm=false\nPROMPT_COMMAND='printf "[mine %s]" $?'\nPS1='ready> '
eval "$(outlast shell-init bash)"; eval "$(outlast shell-init bash)"`,
    fail: '(exit 3)',
  },
  zsh: {
    args: () => ['-d', '-i'],
    file: '.zshrc',
    rc: `${OUTLAST}\nsetopt nounset noglob\nprecmd() { printf '[mine %s]' $? }\nPROMPT='ready> '
eval "$(outlast shell-init zsh)"; eval "$(outlast shell-init zsh)"`,
    fail: '(exit 3)',
  },
  fish: {
    args: () => ['-i'],
    file: 'fish/config.fish',
    rc: `function outlast; '${process.execPath}' '${BIN}' $argv; end
function fish_prompt; printf '[mine %s]ready> ' $status; end
outlast shell-init fish | source; outlast shell-init fish | source`,
    fail: 'sh -c "exit 3"',
  },
};

/** A person at a shell. */
class Person implements AsyncDisposable {
  shown = '';
  readonly #pty: IPty;
  #isGone = false;

  constructor(name: string, kind: Kind) {
    const folder = join(world.state, `rc-${name}`);
    mkdirSync(join(folder, 'fish'), { recursive: true });
    writeFileSync(join(folder, kind.file), `${kind.rc}\n`);
    const env = { ...world.env, TERM: 'xterm', ZDOTDIR: folder, XDG_CONFIG_HOME: folder, fish_greeting: '' };
    this.#pty = spawn(name, kind.args(folder), { cols: 200, rows: 40, env, cwd: world.state });
    this.#pty.onData((text) => {
      this.shown += text;
    });
    this.#pty.onExit(() => {
      this.#isGone = true;
    });
  }

  async sees(text: string, count = 1): Promise<void> {
    await eventually(() => this.count(text) >= count, { what: `${text} on ${JSON.stringify(this.shown)}` });
  }

  count(text: string): number {
    return this.shown.split(text).length - 1;
  }

  /** Types a line, and waits for the prompt after it. */
  async runs(line: string): Promise<void> {
    const before = this.count('ready> ');
    this.#pty.write(`${line}\r`);
    await this.sees('ready> ', before + 1);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pty.kill('SIGKILL');
    await eventually(() => this.#isGone);
  }
}

const isWritten = (): Promise<unknown> =>
  eventually(() => existsSync(shells) && readdirSync(shells).some((id) => existsSync(join(shells, id, 'new'))), {
    what: 'a message for a shell',
  });

test.each(Object.entries(KINDS))(
  'the next prompt of %s tells of a reply once, also if the daemon dies',
  async (name, kind) => {
    await using person = new Person(name, kind);
    await person.sees('ready> ');
    await person.runs(`outlast start --agent scripted --name told-${name} "hello ${name}"`);
    await person.sees('Started.');
    await isWritten();
    await world.restart();
    const line = `outlast: scripted "hello ${name}" (told-${name}) answered`;
    expect(person.count(line)).toBe(0);
    await person.runs(kind.fail);
    await person.sees(line);
    await person.sees(`You said: hello ${name}`);
    // The status of the last command is the user's, not that of our hook.
    await person.sees('[mine 3]');
    // What is read in the same shell is not told again.
    await person.runs(`outlast converse told-${name} "again"`);
    await person.sees('You said: again');
    const other = `told-${name}-other`;
    await person.runs(`outlast start --agent scripted --name ${other} "bye"`);
    await isWritten();
    await person.runs('true');
    await person.sees(`(${other}) answered`);
    expect([person.count(line), person.count(`(told-${name}) answered`), person.count(`(${other}) answered`)]).toEqual([
      1, 1, 1,
    ]);
  },
);

test('a session of another terminal, of a script or inside a session is told to no shell', async () => {
  const told = (): string[] => readdirSync(shells).flatMap((id) => readdirSync(join(shells, id)));
  const env = { OUTLAST_SHELL_ID: `${process.pid}-77` };
  await world.cli(['start', '--agent', 'scripted', '--name', 'script', 'hello']);
  // A pid that is no shell of ours is refused nothing, and told nothing once it is gone.
  await world.cli(['start', '--agent', 'scripted', '--name', 'gone', 'hello'], {
    env: { OUTLAST_SHELL_ID: '999999999-1' },
  });
  const inner = `'${process.execPath}' '${BIN}' start --agent scripted --name inner hello`;
  const outer = await world.cli(['exec', '--env', 'OUTLAST_SHELL_ID=1-1', '-b', '-c', inner], { env });
  expect(outer.stderr).toContain('OUTLAST_SHELL_ID may not be set');
  await world.cli(['start', '--agent', 'scripted', '--name', 'mine', 'hello'], { env });
  await eventually(() => existsSync(join(shells, env.OUTLAST_SHELL_ID, 'new')));
  expect(told().filter((name) => name.includes('-'))).toHaveLength(1);
});
