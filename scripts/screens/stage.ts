import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { scriptedProof } from '../../test/e2e/gated.ts';
import { eventually } from '../../test/eventually.ts';
import { World } from '../../test/world.ts';

/** Columns and rows of a picture. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What a person has in front of them while a picture is made: a home, a project, a daemon, and a terminal in tmux. */
export class Stage implements AsyncDisposable {
  readonly #root: string;
  readonly #world: World;
  readonly #env: NodeJS.ProcessEnv;
  readonly #socket: string;
  readonly project: string;

  private constructor(root: string, { columns, rows }: Size) {
    this.#root = root;
    this.project = join(root, 'shop');
    mkdirSync(this.project);
    const state = join(root, 'state');
    mkdirSync(state);
    writeFileSync(join(state, 'gates.json'), scriptedProof());
    this.#world = new World({ state });
    const bin = join(root, 'bin');
    mkdirSync(bin);
    const main = join(import.meta.dirname, '../../bin/outlast.cjs');
    writeFileSync(join(bin, 'outlast'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
    const path = `${bin}:${dirname(process.execPath)}:${process.env.PATH}`;
    const person = { HOME: root, USER: 'ana', LANG: 'C.UTF-8', TERM: 'xterm-256color', PATH: path, PS1: '$ ' };
    this.#env = { ...this.#world.env, ...person };
    this.#socket = join(root, 'tmux.sock');
    const sized = ['-x', String(columns), '-y', String(rows)];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-s', 't', ...sized, 'env -u TMUX bash --norc --noprofile');
  }

  static async open(size: Size): Promise<Stage> {
    // The name is on the pictures until it is replaced, so it must be short.
    const stage = new Stage(mkdtempSync(join(tmpdir(), 'ana')), size);
    await stage.#world.start();
    return stage;
  }

  /** Runs the command line to its end, in the project. */
  outlast(...words: string[]): string {
    return execFileSync('outlast', words, { env: this.#env, cwd: this.project, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Writes a file of the project. */
  file(name: string, text: string): void {
    writeFileSync(join(this.project, name), text);
  }

  /** Types a line at the shell. */
  type(line: string): void {
    this.#tmux('send-keys', '-t', 't', '-l', line);
    this.press('Enter');
  }

  press(...keys: string[]): void {
    this.#tmux('send-keys', '-t', 't', ...keys);
  }

  /** Waits until the terminal shows this. */
  async shows(text: RegExp): Promise<void> {
    await eventually(() => text.test(this.#tmux('capture-pane', '-t', 't', '-p')), { what: String(text) });
  }

  /** The rows of the terminal with their colours; a home like any other. */
  capture(): string[] {
    return this.#tmux('capture-pane', '-t', 't', '-p', '-e').replaceAll(this.#root, '/home/ana').split('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#tmux('kill-server');
    await this.#world[Symbol.asyncDispose]();
    rmSync(this.#root, { recursive: true, force: true });
  }

  #tmux(...words: string[]): string {
    return execFileSync('tmux', ['-u', '-S', this.#socket, ...words], {
      ...{ env: this.#env, cwd: this.project, encoding: 'utf8' },
    });
  }
}

/** A script for the scripted agent, which plays an agent in tests and pictures. */
export function scriptOf(...steps: readonly object[]): string {
  return `SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}
