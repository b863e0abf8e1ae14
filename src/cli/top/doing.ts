import type { ApprovalView } from '../../client/index.ts';
import { stateText } from '../../present/state.ts';
import { oneLine } from '../base/print.ts';
import type { TopInput } from './main.ts';
import type { Act } from './press.ts';
import type { Deciding, Mode, Ui } from './ui.ts';

/** What carrying out a key needs of the board. */
export interface DoingParts {
  nameOf(session: string): string;
  /** What is on the screen now. */
  mode(): Mode;
  set(change: Partial<Pick<Ui, 'message' | 'mode'>>): void;
  /** Lends the terminal to another program. */
  away(work: () => Promise<void>): Promise<void>;
}

type Doable = Exclude<Act, { readonly do: 'quit' | 'suspend' | 'redraw' }>;

/** Carries out what keys ask for. The board goes on meanwhile. */
export class Doing {
  readonly #input: TopInput;
  readonly #parts: DoingParts;

  constructor(input: TopInput, parts: DoingParts) {
    this.#input = input;
    this.#parts = parts;
  }

  /** Carries it out, and says on the board how it went; it never fails. */
  async act(act: Doable): Promise<void> {
    try {
      await this.#act(act);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error), true);
    }
  }

  async #act(act: Doable): Promise<void> {
    const { starting: outlast, commands } = this.#input;
    switch (act.do) {
      case 'logs':
        return this.#run(commands.logs(act.session), true);
      case 'attach':
        return this.#run(commands.attach(act.session), false);
      case 'interrupt': {
        const name = this.#begin('Interrupting', act.session);
        await outlast.interrupt(act.session);
        return this.#say(`Interrupted ${name}.`);
      }
      case 'stop': {
        const name = this.#begin('Stopping', act.session);
        const { session } = await outlast.stop({ session: act.session, by: this.#input.by });
        return this.#say(`${name}: ${stateText(session, { line: oneLine, withReason: true })}.`);
      }
      case 'prompt': {
        const { session } = await outlast.prompt({ session: act.session, text: act.text });
        const isWaiting = session.prompts.some(({ state }) => state === 'queued');
        return this.#say(`${isWaiting ? 'Queued the prompt for' : 'Sent the prompt to'} ${this.#nameOf(act.session)}.`);
      }
      case 'ask':
        return this.#ask(act.session);
      case 'decide':
        return this.#decide(act);
    }
  }

  /** Puts the oldest approval of a session on the screen. */
  async #ask(session: string): Promise<void> {
    const [asked, ...rest] = await this.#input.starting.approvals.list({ session });
    if (asked === undefined) return this.#say(`${this.#nameOf(session)} has no pending approvals.`);
    this.#parts.set({ mode: this.#deciding(asked, rest.length) });
  }

  /** Takes an approval from the screen when it was decided elsewhere. */
  async recheck(shown: Deciding): Promise<void> {
    const isShown = (): boolean => {
      const mode = this.#parts.mode();
      return mode.is === 'approval' && mode.asked.id === shown.asked.id;
    };
    const open = await this.#input.starting.approvals.list({ session: shown.session }).catch(() => null);
    // Unknown: the decision will tell.
    if (open === null || open.some(({ id }) => id === shown.asked.id) || !isShown()) return;
    this.#parts.set({ mode: { is: 'board' } });
    this.#say(
      `${oneLine(shown.asked.tool)} of ${this.#nameOf(shown.session)} is no longer pending: it was decided elsewhere.`,
    );
  }

  #deciding(asked: ApprovalView, more: number): Deciding {
    const sinceMs = this.#input.clock.steadyMs();
    return { is: 'approval', session: asked.session, asked, more, first: 0, sinceMs, why: null };
  }

  async #decide({ mode, allow, why }: Extract<Act, { do: 'decide' }>): Promise<void> {
    const { starting: outlast, by } = this.#input;
    const { asked, session } = mode;
    await outlast.approvals.decide(asked.id, allow, { by, ...(why !== undefined && { why }) });
    this.#say(`${allow ? 'Allowed' : 'Denied'} ${oneLine(asked.tool)} of ${this.#nameOf(session)}.`);
    if (mode.more > 0) await this.#ask(session);
  }

  /** Runs one of our own commands on the terminal, and comes back when it ends. */
  async #run(words: readonly string[], waits: boolean): Promise<void> {
    await this.#parts.away(async () => {
      const status = await runOwn(words);
      // Ctrl-C was the key to come back. What ended by itself is still to be read.
      if (status !== null && (waits || status !== 0)) await anyKey();
    });
  }

  #begin(doing: string, session: string): string {
    const name = this.#nameOf(session);
    this.#say(`${doing} ${name} …`);
    return name;
  }

  #nameOf(session: string): string {
    return oneLine(this.#parts.nameOf(session));
  }

  #say(text: string, isError = false): void {
    this.#parts.set({ message: { text, isError } });
  }
}

/** The exit status of an own command; null: a signal ended it. */
function runOwn(words: readonly string[]): Promise<number | null> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [, script = ''] = process.argv;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...words], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (status) => resolve(status === 130 ? null : status));
  });
}

async function anyKey(): Promise<void> {
  process.stderr.write('\n[Press a key to go back to outlast top]');
  process.stdin.setRawMode(true);
  process.stdin.resume();
  await new Promise<void>((resolve) => process.stdin.once('data', () => resolve()));
}
