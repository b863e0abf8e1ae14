import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';

const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

export interface LiveOptions {
  /** In its own session and process group, as after a login. */
  readonly detached?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Left open by default. */
  readonly input?: string | Buffer;
}

/** A program that a test watches, types into and kills while it runs. */
export class Live implements AsyncDisposable {
  stdout = '';
  stderr = '';
  readonly child: ChildProcess;
  readonly #ended: Promise<number | string>;

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv, options: LiveOptions = {}) {
    const [program = '', ...words] = argv;
    const child = spawn(program, words, { env: { ...env, ...options.env }, cwd: tmpdir(), detached: options.detached });
    this.child = child;
    child.stdout.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    child.stdin.on('error', () => {});
    if (options.input !== undefined) child.stdin.end(options.input);
    this.#ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal ?? '')));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async shows(text: string, msMax = 10_000): Promise<void> {
    await eventually(() => this.stdout.includes(text), { what: `${JSON.stringify(text)} from the program`, msMax });
  }

  /** The exit status, or the name of the signal. */
  async status(msMax = 15_000): Promise<number | string> {
    let status: number | string | undefined;
    void this.#ended.then((ended) => {
      status = ended;
    });
    const what = `the end of the program, which printed ${JSON.stringify([this.stdout, this.stderr])}`;
    await eventually(() => status !== undefined, { what, msMax });
    return status ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.status();
  }
}

/** The command line, while it runs. */
export function liveCli(world: World, args: readonly string[], options: LiveOptions = {}): Live {
  return new Live([process.execPath, BIN, ...args], world.env, options);
}

/** A script of a person, with `outlast` on the PATH. */
export function liveScript(world: World, script: string, options: LiveOptions = {}): Live {
  return new Live(['sh', '-c', script], { ...world.env, PATH: pathWithOutlast(world) }, options);
}

/** A PATH on which `outlast` is the built program. */
export function pathWithOutlast(world: World): string {
  const bin = join(world.state, 'bin');
  mkdirSync(bin, { recursive: true });
  const path = join(bin, 'outlast');
  if (!existsSync(path)) writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 });
  return `${bin}:${process.env.PATH}`;
}

/** Starts a command in the background; returns its id as soon as it runs. */
export async function startCommand(world: World, ...args: readonly string[]): Promise<string> {
  const id = (await world.cli(['exec', '-b', ...args])).stdout.trim();
  await eventually(async () => !/queued|opening/.test((await world.client.session(id).show()).session.phase));
  return id;
}

/** Waits until a session has printed a text. */
export async function hasPrinted(world: World, id: string, text: string): Promise<void> {
  await eventually(async () => (await world.client.session(id).output()).text?.includes(text), { what: text });
}

/** Kills the daemon; the next one is started by the first caller that needs it, as in real use. */
export async function crash(world: World, meanwhile = (): void => {}): Promise<void> {
  const { pid } = await world.client.daemonStatus();
  process.kill(pid, 'SIGKILL');
  await eventually(() => !isRunning(pid), { what: 'the end of the daemon' });
  meanwhile();
  const started = await world.cli(['daemon', 'start']);
  if (started.status !== 0) throw new Error(`no daemon after a crash: ${started.stderr}`);
}

/** Is the process running, and not a zombie? */
export function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The pid of a part of a run: launcher, command, keeper, holder or sink. */
export function partOf(world: World, id: string, part: string): Promise<number> {
  const path = join(world.state, 'sessions', id, 'runs/1', part);
  return eventually(() => Number.parseInt(readFileSync(path, 'utf8'), 10), { what: `the ${part} of ${id}` });
}
