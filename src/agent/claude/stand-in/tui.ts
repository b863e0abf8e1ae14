import { randomUUID } from 'node:crypto';
import type { Agent, AskDialog, Face } from './agent.ts';
import { Asking } from './asking.ts';
import { askDialog, REWIND, startDialog } from './dialogs.ts';
import { doneEntry, entriesOf } from './entries.ts';
import { Input } from './input.ts';
import type { Fields } from './json.ts';
import type { Press } from './keys.ts';
import { type Listener, listenToTerminal } from './listen.ts';
import type { Scene } from './paint.ts';
import { Screen } from './screen.ts';
import { compact, isLeaving, shell } from './tui-commands.ts';
import { playTurn } from './turn.ts';

/** What the full screen starts with. */
export interface TuiStart {
  readonly source: string;
  readonly past: readonly Fields[];
  readonly prompt: string | null;
}

const TICK_MS = 500;

/** Runs the full screen until a person exits; returns the exit status. */
export function runTui(agent: Agent, start: TuiStart): Promise<number> {
  return new Tui(agent, start.past).run(start);
}

class Tui implements Face, Listener {
  readonly #agent: Agent;
  readonly #screen: Screen;
  readonly #input: Input;
  readonly #asking = new Asking();
  readonly #entries: string[];
  readonly #over = Promise.withResolvers<number>();
  /** Commands that arrived while it was busy. */
  readonly #commands: string[] = [];
  #streaming: string | null = null;
  #turn: { readonly stop: AbortController; readonly startedMs: number } | null = null;
  #working: Promise<void> = Promise.resolve();
  #isLeaving = false;

  constructor(agent: Agent, past: readonly Fields[]) {
    this.#agent = agent;
    this.#input = new Input(agent.parts.clock, agent.parts.manners);
    this.#entries = past.flatMap(entriesOf);
    this.#screen = new Screen((text) => process.stdout.write(text));
    agent.face = this;
  }

  async run(start: TuiStart): Promise<number> {
    const { manners, clock, state, cwd } = this.#agent.parts;
    listenToTerminal(clock, this, manners.hangupStatus);
    if (manners.dialog !== null) {
      const answer = this.#asking.open(startDialog(manners.dialog, cwd));
      this.#paint();
      if (!(await answer)) {
        this.#screen.leave('');
        return 1;
      }
    }
    this.#paint();
    state.begin();
    await this.#agent.hook('SessionStart', { source: start.source }, start.source);
    await clock.sleep(manners.readyMs);
    this.#input.isReady = true;
    this.#paint();
    state.set('idle');
    if (start.prompt !== null) this.#submit(start.prompt);
    return this.#over.promise;
  }

  began(): void {
    this.#paint();
  }

  wrote(line: Fields): void {
    this.#streaming = null;
    this.#entries.push(...entriesOf(line));
    this.#paint();
  }

  streaming(text: string): void {
    this.#streaming = text;
    this.#paint();
  }

  failed(): void {}

  async ask(asked: AskDialog, signal: AbortSignal): Promise<'yes' | 'no'> {
    const answer = this.#asking.open(askDialog(asked), signal);
    this.#paint();
    const agrees = await answer;
    this.#paint();
    return agrees ? 'yes' : 'no';
  }

  pressed(presses: readonly Press[]): void {
    for (const press of presses) this.#press(press);
    this.#paint();
  }

  resized(): void {
    this.#screen.forget();
    this.#paint();
  }

  ended(status: number): void {
    void this.#leave(status, 'other');
  }

  #press(press: Press): void {
    if (this.#asking.isOpen) return this.#asking.press(press);
    const request = this.#input.press(press, this.#screen.size.columns, this.#turn !== null);
    switch (request.is) {
      case 'submit':
        return this.#submit(request.text);
      case 'interrupt':
        return this.#turn?.stop.abort('interrupt');
      case 'rewind':
        return void this.#rewind();
      case 'leave':
        return void this.#leave(0, 'prompt_input_exit');
      case 'nothing':
    }
  }

  #submit(text: string): void {
    if (text.trim() === '') return;
    if (text.startsWith('/')) return this.#command(text);
    if (isLeaving(text)) return void this.#leave(0, 'prompt_input_exit');
    if (this.#turn !== null) return this.#agent.enqueue(text);
    if (text.startsWith('!')) return this.#work((signal) => this.#shell(text.slice(1).trim(), signal));
    this.#work((signal) => this.#play(text, signal, false));
  }

  #command(text: string): void {
    const name = text.split(/\s/, 1)[0] ?? '';
    const isExit = name === '/exit' || name === '/quit';
    if (this.#turn === null || isExit) this.#agent.conversation.promptId = randomUUID();
    if (isExit) return void this.#leave(0, 'prompt_input_exit');
    if (this.#turn !== null) return void this.#commands.push(text);
    if (name === '/clear') return this.#work(() => this.#clear());
    if (name === '/compact') return this.#work(() => compact(this.#agent));
    this.#entries.push(`● Unknown command: ${name}`);
  }

  async #rewind(): Promise<void> {
    const { state } = this.#agent.parts;
    state.set('waiting', 'dialog open');
    await this.#asking.open(REWIND);
    state.set('idle');
    this.#paint();
  }

  async #clear(): Promise<void> {
    this.#entries.splice(0, this.#entries.length, '❯ /clear');
    await this.#agent.clear();
  }

  /** Runs one thing at a time, and shows busy meanwhile. */
  #work(what: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    this.#turn = { stop, startedMs: this.#agent.parts.clock.steadyMs() };
    const over = new AbortController();
    void this.#tick(over.signal);
    this.#working = what(stop.signal).then(() => {
      over.abort();
      this.#turn = null;
      this.#streaming = null;
      this.#input.hasPasted = false;
      if (!this.#isLeaving) this.#next();
      this.#paint();
    });
  }

  async #play(text: string, signal: AbortSignal, isHeard: boolean): Promise<void> {
    const { clock } = this.#agent.parts;
    const shown = this.#entries.length;
    const startedMs = clock.steadyMs();
    const end = await playTurn(this.#agent, text, signal, isHeard);
    if (end.is !== 'interrupted') {
      this.#entries.push(doneEntry(clock.steadyMs() - startedMs, clock.wallMs()));
    } else if (!end.hadOutput && signal.reason === 'interrupt') {
      this.#entries.splice(shown);
      this.#input.box.restore(text);
    }
  }

  async #shell(command: string, signal: AbortSignal): Promise<void> {
    this.#entries.push(`! ${command}`);
    this.#entries.push(`  ⎿  ${await shell(this.#agent, command, signal)}`);
  }

  /** After a turn: prompts that were queued too late for it, then background work that has ended. */
  #next(): void {
    const { queue, background } = this.#agent;
    const waiting = queue.splice(0).join('\n');
    if (waiting !== '') return this.#work((signal) => this.#play(waiting, signal, true));
    const command = this.#commands.shift();
    if (command !== undefined) return this.#command(command);
    this.#agent.idle();
    void background.next().then((text) => {
      if (text === null || this.#isLeaving) return;
      if (this.#turn === null) this.#work((signal) => this.#play(text, signal, false));
      else background.putBack(text);
      this.#paint();
    });
  }

  async #tick(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#paint();
      await this.#agent.parts.clock.sleep(TICK_MS, signal);
    }
  }

  async #leave(status: number, reason: string): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#turn?.stop.abort('end');
    await this.#working;
    await this.#agent.end(reason);
    this.#screen.leave(`\nResume this session with:\nclaude --resume ${this.#agent.conversation.place.id}`);
    this.#over.resolve(status);
  }

  #paint(): void {
    if (!this.#isLeaving) this.#screen.show(this.#scene());
  }

  #scene(): Scene {
    const { parts, queue } = this.#agent;
    const seconds = Math.floor((parts.clock.steadyMs() - (this.#turn?.startedMs ?? 0)) / 1000);
    return {
      cwd: parts.cwd,
      model: parts.options.model,
      mode: parts.options.mode,
      entries: this.#streaming === null ? this.#entries : [...this.#entries, `● ${this.#streaming}`],
      draft: this.#input.box.shown,
      hint: this.#input.hint,
      tokens: 19 + (this.#streaming ?? '').split(/\s+/).length,
      busySeconds: this.#turn === null ? null : seconds,
      queued: queue,
      dialog: this.#asking.rows,
      isReady: this.#input.isReady,
    };
  }
}
