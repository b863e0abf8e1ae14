import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';

const [COLUMNS, ROWS] = [120, 30];
const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

/** Somebody at a terminal of their own who runs a program. */
export class AtTerminal implements AsyncDisposable {
  status: number | null = null;
  readonly #pty: IPty;
  readonly #screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });

  constructor(stage: Stage, program: string, args: readonly string[]) {
    const { TMUX: _, ...env } = { ...stage.world.env, ...stage.env };
    this.#pty = spawn(program, [...args], { cols: COLUMNS, rows: ROWS, env, cwd: stage.workspace });
    this.#pty.onData((text) => this.#screen.write(text));
    this.#pty.onExit(({ exitCode }) => {
      this.status = exitCode;
    });
  }

  /** What stands on their screen. */
  get shown(): string {
    const { active } = this.#screen.buffer;
    const rows = Array.from({ length: ROWS }, (_, i) => active.getLine(active.viewportY + i)?.translateToString(true));
    return rows.join('\n').trimEnd();
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  async sees(text: string): Promise<void> {
    await eventually(() => this.shown.includes(text), { msMax: 20_000 }).catch(() => {
      throw new Error(`"${text}" is not on the screen of the person:\n${this.shown}`);
    });
  }

  async leaves(): Promise<number | null> {
    await eventually(() => this.status !== null, { what: 'the person to have left' });
    return this.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.status === null) this.#pty.kill('SIGKILL');
    await this.leaves();
  }
}

/** A person at a terminal of their own who runs the command line. */
export class Person extends AtTerminal {
  constructor(stage: Stage, ...args: readonly string[]) {
    super(stage, process.execPath, [BIN, ...args]);
  }
}
