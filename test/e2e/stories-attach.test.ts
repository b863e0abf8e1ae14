import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { keyPause } from '../key-pause.ts';
import { makeWorld } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');
const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** A person who runs the command line on their own terminal. */
class Person implements AsyncDisposable {
  shown = '';
  status: number | null = null;
  readonly #pty: IPty;

  constructor(...args: string[]) {
    const env = { ...world.env, TERM: 'xterm-256color', TMUX: '' };
    this.#pty = spawn(process.execPath, [BIN, ...args], { cols: 90, rows: 25, env });
    this.#pty.onData((text) => {
      this.shown += text;
    });
    this.#pty.onExit(({ exitCode }) => {
      this.status = exitCode;
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  async detaches(keys: string): Promise<number | null> {
    await keyPause();
    this.type(keys);
    return this.leaves();
  }

  async sees(text: string): Promise<void> {
    await eventually(() => this.shown.includes(text), { what: `${text} on ${JSON.stringify(this.shown)}` });
  }

  async leaves(): Promise<number | null> {
    await eventually(() => this.status !== null, { what: `the end of ${JSON.stringify(this.shown)}` });
    return this.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.status === null) this.#pty.kill('SIGKILL');
    await this.leaves();
  }
}

describe.each([
  ['--pty', '\x1c'],
  ['--tmux', '\x02d'],
])('a person at a terminal (%s)', (terminal, detach) => {
  test('attaches, sees, types, detaches, and the session keeps running', async () => {
    const line = 'echo first words; while read -r x; do echo "heard $x"; done; exit 3';
    const id = (await world.cli(['exec', '-b', terminal, '-c', line])).stdout.trim();
    await world.client.session(id).wait({ for: 'text:first words', since: 0 });
    await using person = new Person('attach', id);
    await person.sees('Detach with');
    await person.sees('first words');
    person.type('hello\r');
    await person.sees('heard hello');
    expect(await person.detaches(detach)).toBe(0);
    expect((await world.client.session(id).show()).session.phase).toBe('working');
    await using again = new Person('attach', id);
    await again.sees('heard hello');
    again.type('once more\r');
    await world.client.session(id).wait({ for: 'text:heard once more', since: 0, timeoutMs: 10_000 });
    again.type('\x04');
    expect(await again.leaves()).toBe(0);
    expect((await world.client.session(id).wait({ timeoutMs: 10_000 })).session.exit?.status).toBe(3);
  });

  test('can watch read-only: what is typed is discarded', async () => {
    const line = 'echo first words; while read -r x; do echo "heard $x"; done';
    const id = (await world.cli(['exec', '-b', terminal, '-c', line])).stdout.trim();
    await world.client.session(id).wait({ for: 'text:first words', since: 0 });
    await using person = new Person('attach', id, '--read-only');
    await person.sees('first words');
    person.type('unwanted\r');
    await world.cli(['keys', id, 'o', 'k', 'Enter']);
    await person.sees('heard ok');
    expect((await world.client.output({ session: id })).text).not.toContain('unwanted');
    expect(await person.detaches(detach)).toBe(0);
    await world.client.stop({ session: id, graceMs: 0 });
  });

  test('runs a program in the foreground as without Outlast: keys, Ctrl-C, size and status', async () => {
    const line =
      'trap "echo caught" INT; stty size; read -r x; echo "heard $x"; echo ready; sleep 1000; echo woken; exit 5';
    await using person = new Person('exec', terminal, '-c', line);
    await person.sees('25 90');
    person.type('hello\r');
    await person.sees('heard hello');
    await person.sees('ready');
    person.type('\x03');
    await person.sees('woken');
    expect(await person.leaves()).toBe(5);
    expect(person.shown).toContain('caught');
  });

  test('is not needed: a program that queries its terminal is answered, also with the daemon dead', async () => {
    const go = join(world.state, `go${terminal}`);
    const line = `stty raw -echo min 0 time 50; echo up; until [ -e '${go}' ]; do sleep 0.02; done
      printf '\\033[6n'; a=$(head -c 6 | od -An -tx1); printf '\\033[c'; b=$(head -c 3 | od -An -tx1)
      stty sane; echo "<$a|$b>"`;
    const id = (await world.cli(['exec', '-b', terminal, '-c', line])).stdout.trim();
    await world.client.session(id).wait({ for: 'text:up', since: 0 });
    await world.kill();
    writeFileSync(go, '');
    await eventually(() => existsSync(join(world.state, 'sessions', id, 'runs/1/exit')));
    await world.start();
    await world.client.session(id).wait({ timeoutMs: 10_000 });
    expect((await world.cli(['output', id])).stdout).toMatch(/< 1b 5b 3\d (3\d )?3b 3\d( 3\d)?( 52)?\| 1b 5b 3f>/);
  });
});

test('on a plain pipe Ctrl-C of a person goes to the command, and the terminal is restored', async () => {
  const line = 'trap "echo caught; exit 4" INT; echo ready; while :; do sleep 0.05; done';
  await using person = new Person('exec', '-c', line);
  await person.sees('ready');
  person.type('\x03');
  await person.sees('caught');
  expect(await person.leaves()).toBe(4);
});

test('attach without a terminal does not hang, and does no harm', async () => {
  const id = (await world.cli(['exec', '-b', '--pty', '--', 'sleep', '1000'])).stdout.trim();
  await eventually(async () => (await world.client.session(id).show()).session.phase === 'working');
  expect((await world.cli(['attach', id])).status).not.toBe(null);
  expect((await world.client.session(id).show()).session.phase).toBe('working');
});

const PATIENT = { msMax: 60_000 };
const SIZES = `trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done`;

test.each([
  ['--pty', '\x1c', '25 90', 'leaves it running'],
  ['--tmux', '\x02d', '24 90', 'Ctrl-b d: leave it running'],
])(
  'T-ATTACH-2: %s takes the size of the attached terminal, gives it back, and says how to detach',
  async (terminal, detach, size, key) => {
    const id = (await world.cli(['exec', '-b', terminal, '-c', SIZES])).stdout.trim();
    const sizes = async () => (await world.client.output({ session: id })).text?.trim().split('\n') ?? [];
    await eventually(async () => (await sizes())[0] === '30 120', PATIENT);
    await using person = new Person('attach', id);
    await eventually(async () => (await sizes()).at(-1) === size, PATIENT);
    await eventually(() => person.shown.includes(key), PATIENT);
    person.type(detach);
    await person.leaves();
    await eventually(async () => (await sizes()).at(-1) === '30 120', PATIENT);
    await world.cli(['stop', id, '--force']);
  },
);

test.each(['--pty', '--tmux'])(
  'T-ATTACH-2: %s gives the size back also when the viewer is killed',
  async (terminal) => {
    const id = (await world.cli(['exec', '-b', terminal, '-c', SIZES])).stdout.trim();
    const sizes = async () => (await world.client.output({ session: id })).text?.trim().split('\n') ?? [];
    await eventually(async () => (await sizes())[0] === '30 120', PATIENT);
    const person = new Person('attach', id);
    await eventually(async () => (await sizes()).at(-1)?.endsWith(' 90'), PATIENT);
    await person[Symbol.asyncDispose]();
    await eventually(async () => (await sizes()).at(-1) === '30 120', PATIENT);
    await world.cli(['stop', id, '--force']);
  },
);

test('T-ATTACH-3: without a terminal it says so, and what to use instead', async () => {
  const id = (await world.cli(['exec', '-b', '--pty', '-c', 'sleep 1000'])).stdout.trim();
  const ran = await world.cli(['attach', id]);
  expect([ran.status, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toContain('attach needs a terminal');
  await world.cli(['stop', id, '--force']);
});
