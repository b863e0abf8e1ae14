import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { eventually } from '../eventually.ts';

const COLUMNS = 100;
const ROWS = 40;
const LINES_MAX = 5_000;
const MARK = 'page-mark';
/** Written in two parts, so that the line that sets it does not show it. */
const PROMPT = `PS1='page-''mark> ' PS2='' PROMPT_COMMAND='' HISTFILE=`;
const IS_OVER = /page-mark> $/;

/** How a shell is started. */
export interface ShellPlan {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An interactive shell on a terminal, into which a person types one command after the other. */
export class Shell {
  readonly #pty: IPty;
  #shown = '';
  #isReady = false;
  #isGone = false;

  constructor({ argv, cwd, env }: ShellPlan) {
    const [program = '', ...words] = [...argv, 'bash', '--norc', '--noprofile', '--noediting', '-i'];
    this.#pty = spawn(program, words, {
      ...{ cols: COLUMNS, rows: ROWS, cwd },
      env: { ...env },
    });
    this.#pty.onData((text) => {
      this.#shown += text;
    });
    this.#pty.onExit(() => {
      this.#isGone = true;
    });
  }

  /** Types a command and returns what the terminal got until the next prompt. `keys` are pressed while it runs. */
  async type(command: string, keys: readonly string[] = []): Promise<string> {
    if (!this.#isReady) await this.#run(`stty -echo; ${PROMPT}`);
    this.#isReady = true;
    return this.#run(command, keys);
  }

  /** Closes the terminal. */
  close(): void {
    if (!this.#isGone) this.#pty.kill();
  }

  async #run(command: string, keys: readonly string[] = []): Promise<string> {
    this.#shown = '';
    this.#pty.write(`${command}\r`);
    const isOver = (): boolean => this.#isGone || IS_OVER.test(this.#shown);
    for (const key of keys) await this.#press(key, isOver);
    await eventually(isOver, { msMax: 60_000, what: 'the next prompt' }).catch(() => {
      throw new Error(`no prompt after ${command}: ${this.#shown}`);
    });
    if (this.#isGone) throw new Error(`the shell has ended: ${this.#shown}`);
    return this.#shown.replaceAll(`${MARK}> `, '');
  }

  /** Presses a key once the screen has changed, and again as long as nothing happens: new screens take no keys yet. */
  async #press(key: string, isOver: () => boolean): Promise<void> {
    const before = this.#shown.length;
    await eventually(() => isOver() || this.#shown.length > before, { what: 'something on the screen' });
    const seen = this.#shown.length;
    await eventually(
      async () => {
        if (isOver()) return true;
        this.#pty.write(key);
        return eventually(() => isOver() || this.#shown.length > seen, { msMax: 1_000 }).then(
          () => true,
          () => false,
        );
      },
      { what: `an answer to ${JSON.stringify(key)}` },
    );
  }
}

/** What a terminal shows after this text, with what scrolled out of its top: a full-screen program leaves nothing. */
export async function shownLines(text: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: LINES_MAX, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const { active } = terminal.buffer;
  let shown = '';
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row);
    const words = line?.translateToString(false) ?? '';
    shown += line?.isWrapped || row === 0 ? words : `\n${words}`;
  }
  terminal.dispose();
  return shown.replaceAll(/ +$/gm, '').trimEnd();
}
