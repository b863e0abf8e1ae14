import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';

const [COLUMNS, ROWS] = [120, 30];
const BIN = join(import.meta.dirname, '../../bin/outlast.cjs');

/** A person who runs a program on their own terminal. */
export class TerminalUser implements AsyncDisposable {
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

  /** The text of their screen. */
  get screenText(): string {
    const { active } = this.#screen.buffer;
    const rows = Array.from({ length: ROWS }, (_, i) => active.getLine(active.viewportY + i)?.translateToString(true));
    return rows.join('\n').trimEnd();
  }

  type(text: string): void {
    this.#pty.write(text);
  }

  async waitForText(text: string): Promise<void> {
    await eventually(() => this.screenText.includes(text), { msMax: 20_000 }).catch(() => {
      throw new Error(`"${text}" is not on the person's screen:\n${this.screenText}`);
    });
  }

  async waitForExit(): Promise<number | null> {
    await eventually(() => this.status !== null, { what: 'the exit of the program' });
    return this.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.status === null) this.#pty.kill('SIGKILL');
    await this.waitForExit();
  }
}

/** A person who runs `outlast` on their own terminal. */
export class Person extends TerminalUser {
  constructor(stage: Stage, ...args: readonly string[]) {
    super(stage, process.execPath, [BIN, ...args]);
  }
}
