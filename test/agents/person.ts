import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { eventually } from '../eventually.ts';
import { keyPause } from '../key-pause.ts';
import type { Stage } from './stage.ts';
import type { ScreenQuestion } from './under-test/agent.ts';

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
    await eventually(() => this.status !== null).catch(() => {
      throw new Error(`the program did not exit:\n${this.screenText}`);
    });
    return this.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.status === null) this.#pty.kill('SIGKILL');
    await this.waitForExit();
  }
}

/** How long an agent may take to draw its own screen, and to answer there. */
const SCREEN_MS_MAX = 60_000;
/** What is typed shows up within this time, unless the agent was not ready for it. */
const ECHO_MS_MAX = 5_000;

/** A person who runs `outlast` on their own terminal. */
export class Person extends TerminalUser {
  readonly #asks: readonly ScreenQuestion[];

  constructor(stage: Stage, ...args: readonly string[]) {
    super(stage, process.execPath, [BIN, ...args]);
    this.#asks = stage.agent.screen.asks ?? [];
  }

  /** Waits for a text on the agent's own screen, and answers what the agent asks a person before. */
  waitForAnswer(text: string): Promise<void> {
    return this.#until(text, () => {});
  }

  /** Types a prompt on the agent's own screen, and waits for this text. What comes before it is ready is lost. */
  submit(prompt: string, text: string): Promise<void> {
    let isTyped = false;
    return this.#until(text, () => {
      isTyped ||= this.screenText.includes(prompt);
      this.type(isTyped ? '\r' : prompt);
    });
  }

  /** Leaves the screen; the program behind it stays. Again if the keys were lost, as a person does. */
  async detach(): Promise<number | null> {
    await keyPause();
    const hasLeft = (): boolean => this.status !== null;
    await eventually(() => {
      this.type('\x02d');
      return eventually(hasLeft, { msMax: ECHO_MS_MAX }).catch(() => false);
    });
    return this.waitForExit();
  }

  async #until(text: string, act: () => void): Promise<void> {
    const isThere = (): boolean => this.screenText.includes(text);
    await eventually(
      async () => {
        const before = this.screenText;
        const ask = this.#asks.find(({ shows }) => before.includes(shows));
        if (ask === undefined) act();
        else this.type(ask.keys);
        const msMax = ECHO_MS_MAX;
        await eventually(() => isThere() || this.screenText !== before, { msMax }).catch(() => {});
        return isThere() || eventually(isThere, { msMax: 1_000 }).catch(() => false);
      },
      { msMax: SCREEN_MS_MAX },
    ).catch(() => {
      throw new Error(`"${text}" is not on the person's screen:\n${this.screenText}`);
    });
  }
}
