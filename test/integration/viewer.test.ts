import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { expect, test, vi } from 'vitest';
import { runFolder } from '../../src/terminal/run-folder.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';
import { HeldWorld } from './held-world.ts';

vi.setConfig({ testTimeout: 30_000 });

test('a viewer shows the screen, types, and leaves the program running', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('echo first words; read line; echo "heard $line"; read line; echo "then $line"');
  await world.printed(ref, 'first words');
  const { argv, detach } = await world.terminal.attach(ref);
  await using viewer = new Viewer(argv);
  await viewer.shows('first words');
  viewer.type('hello\r');
  await viewer.shows('heard hello');
  expect(detach).toBe('Ctrl-\\');
  viewer.type('typed just before\r\x1c');
  await viewer.shows('[outlast: detached: the session keeps running]');
  expect(await viewer.status()).toBe(0);
  await world.waitForEnd(ref);
  expect(world.output(ref)).toContain('then typed just before');
});

test('a program keeps running when its viewer is left or killed', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('echo ready; read line; echo "heard $line"');
  await using left = new Viewer((await world.terminal.attach(ref)).argv);
  await using killed = new Viewer((await world.terminal.attach(ref)).argv);
  await left.shows('ready');
  await killed.shows('ready');
  left.type('\x1b[92;5u');
  await left.status();
  killed.kill('SIGKILL');
  await killed.status();
  expect(await world.terminal.look(ref)).toMatchObject({ is: 'alive', sink: 'ok' });
  await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('us\r') });
  await world.printed(ref, 'heard us');
});

test('a read-only viewer sees all and changes nothing', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('stty size; read line; echo "heard $line"; stty size; read line');
  await using viewer = new Viewer(await readOnly(world, ref), { columns: 60, rows: 10 });
  await viewer.shows('24 80');
  viewer.type('from the viewer\r');
  await world.terminal.write(ref, { kind: 'bytes', bytes: Buffer.from('from the daemon\r') });
  await viewer.shows('heard from the daemon');
  await world.printed(ref, 'daemon\r\n24 80');
  viewer.type('\x03');
  expect(await viewer.status()).toBe(0);
});

test('a viewer that may type sets the size of the terminal, and changes it', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('echo ready; read line; stty size; read line; stty size');
  await world.printed(ref, 'ready');
  await using viewer = new Viewer((await world.terminal.attach(ref)).argv, { columns: 101, rows: 31 });
  await viewer.shows('ready');
  viewer.type('\r');
  await viewer.shows('31 101');
  viewer.resize({ columns: 70, rows: 20 });
  await eventually(async () => (await world.terminal.screen(ref)).columns === 70);
  viewer.type('\r');
  await world.printed(ref, '20 70');
});

test('a query of a program to its terminal is not passed to the viewer too', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(
    `stty raw -echo; printf ready; head -c 1; printf 'x\\033[6n'; head -c 6 | cat -v; printf asked`,
  );
  await using viewer = new Viewer((await world.terminal.attach(ref)).argv);
  await viewer.shows('ready');
  viewer.type('!');
  await viewer.shows('asked');
  expect(world.output(ref)).toContain('\x1b[6n');
  expect(viewer.shown).not.toContain('\x1b[6n');
});

test('a viewer sees the rest and the end of a program, and restores its terminal', async () => {
  await using world = new HeldWorld();
  const ref = await world.run(`printf '\\033[?1049h\\033[?25lready'; read line; echo last words`);
  await using viewer = new Viewer((await world.terminal.attach(ref)).argv);
  await viewer.shows('ready');
  viewer.type('\r');
  await viewer.shows('[outlast: the session has ended]');
  expect(await viewer.status()).toBe(0);
  expect(viewer.shown).toContain('last words');
  expect(viewer.shown.lastIndexOf('\x1b[?25h')).toBeGreaterThan(viewer.shown.lastIndexOf('\x1b[?25l'));
  expect(viewer.shown.lastIndexOf('\x1b[?1049l')).toBeGreaterThan(viewer.shown.lastIndexOf('\x1b[?1049h'));
});

test('a viewer says so when the holder is killed', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('echo ready; read line');
  await using viewer = new Viewer((await world.terminal.attach(ref)).argv);
  await viewer.shows('ready');
  await world.killHolder(ref);
  await viewer.shows('the process that held this terminal is gone');
  expect(await viewer.status()).toBe(1);
});

test('a viewer of a session that is gone says so', async () => {
  await using world = new HeldWorld();
  const ref = await world.run('true');
  const argv = await readOnly(world, ref);
  await world.waitForEnd(ref);
  await world.terminal.release(ref);
  await using viewer = new Viewer(argv);
  await viewer.shows('cannot watch');
  expect(await viewer.status()).toBe(1);
});

async function readOnly(world: HeldWorld, ref: RunRef): Promise<readonly string[]> {
  const viewer = join(import.meta.dirname, '../../src/terminal/viewer.ts');
  return [process.execPath, viewer, runFolder(world.state, ref).socket, '--read-only'];
}

/** A person at a terminal who runs the viewer. */
class Viewer implements AsyncDisposable {
  shown = '';
  readonly #pty: IPty;
  #status: number | null = null;

  constructor(argv: readonly string[], size = { columns: 80, rows: 24 }) {
    const [file = '', ...rest] = argv;
    this.#pty = spawn(file, rest, { cols: size.columns, rows: size.rows, env: { TERM: 'xterm-256color' } });
    this.#pty.onData((text) => {
      this.shown += text;
    });
    this.#pty.onExit(({ exitCode }) => {
      this.#status = exitCode;
    });
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  resize(size: { columns: number; rows: number }): void {
    this.#pty.resize(size.columns, size.rows);
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  async shows(text: string): Promise<void> {
    await eventually(() => this.shown.includes(text), {
      what: `${JSON.stringify(text)} on ${JSON.stringify(this.shown)}`,
    });
  }

  async status(): Promise<number> {
    await eventually(() => this.#status !== null, { what: 'the end of the viewer' });
    return this.#status ?? -1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#status === null) this.#pty.kill('SIGKILL');
    await this.status();
  }
}
