import type { ClaudePlan } from '../../src/agent/claude/launch.ts';
import { readScreen, type Screen } from '../../src/agent/claude/screen.ts';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { Size } from '../../src/core/session.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';
import { endedIn, type TmuxTestWorld, tmuxWorld } from '../tmux-world.ts';
import { type ScriptedWorld, scriptedWorld } from './world.ts';

/** The scripted agent on the full screen of one of our terminals. */
export class Live implements AsyncDisposable {
  readonly agent: ScriptedWorld;
  readonly #tmux: TmuxTestWorld = tmuxWorld();
  #ref: RunRef;

  constructor(manners: Partial<Manners> = {}, hookBody = '') {
    this.agent = scriptedWorld(manners, hookBody);
    this.#ref = this.#tmux.ref();
  }

  /** Starts it, again if it ran before. */
  async open(change: Partial<ClaudePlan> = {}, size: Size = { columns: 80, rows: 24 }): Promise<void> {
    this.#ref = this.#tmux.ref();
    await this.#tmux.terminal.open(this.#ref, this.agent.launch({ drive: 'live', ...change }), size);
  }

  async screen(): Promise<Screen> {
    return readScreen(await this.rows());
  }

  async rows(): Promise<readonly string[]> {
    return (await this.#tmux.terminal.screen(this.#ref)).rows;
  }

  /** Waits until our reader recognizes this screen. */
  shows(wanted: Screen): Promise<unknown> {
    const text = JSON.stringify(wanted);
    return eventually(async () => JSON.stringify(sorted(await this.screen())) === JSON.stringify(sorted(wanted)), {
      what: `the screen ${text}`,
    }).catch(async (error) => {
      throw new Error(`${error.message}\n${(await this.rows()).join('\n')}`);
    });
  }

  /** Waits for a text on the screen. */
  showsText(text: string): Promise<unknown> {
    return eventually(async () => (await this.rows()).join('\n').includes(text), { what: `"${text}" on the screen` });
  }

  async paste(text: string): Promise<void> {
    await this.#tmux.terminal.write(this.#ref, { kind: 'paste', text });
  }

  async keys(...keys: string[]): Promise<void> {
    await this.#tmux.terminal.write(this.#ref, { kind: 'keys', keys });
  }

  /** Pastes a prompt and presses Enter at once. */
  async prompt(text: string): Promise<void> {
    await this.paste(text);
    await this.keys('Enter');
  }

  resize(columns: number, rows: number): Promise<void> {
    return this.#tmux.terminal.resize(this.#ref, { columns, rows });
  }

  /** Waits until it exits; returns the exit status. */
  async ended(): Promise<number | null> {
    return (await endedIn(this.#tmux, this.#ref)).exit.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux[Symbol.asyncDispose]();
    await this.agent[Symbol.asyncDispose]();
  }
}

function sorted({ is, dialog, draft }: Screen): unknown {
  return [is, dialog ?? null, draft ?? null];
}
