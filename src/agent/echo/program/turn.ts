import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Trouble } from '../../../core/session.ts';
import type { Saying, Stopped, ToolCall } from '../protocol.ts';
import type { Conversation } from './conversation.ts';
import type { Places } from './places.ts';
import type { Step } from './story.ts';
import { useTool } from './tools.ts';

/** The answer to a question. */
export interface Answer {
  readonly allow: boolean;
  readonly why: string;
  readonly input?: unknown;
}

/** What a turn needs from its process. */
export interface Stage {
  readonly places: Places;
  readonly conversation: Conversation;
  say(saying: Saying): void;
  /** Sends half of a message; returns a function that sends the rest. */
  sayHalf(saying: Saying): () => void;
  /** Answers a request that was never made. */
  stray(): void;
  /** Null: tools run without a question. */
  readonly ask: ((turn: string, call: ToolCall, signal: AbortSignal) => Promise<Answer>) | null;
  readonly wonder: (about: string, signal: AbortSignal) => Promise<string>;
}

type End = Pick<Stopped, 'interrupted' | 'trouble'> & { readonly words?: string };

const WAIT_MS = 5;

/** Plays the steps of a turn one after the other; more may be added meanwhile. */
export class Turn {
  readonly id: string;
  readonly #stage: Stage;
  readonly #steps: Step[];
  readonly #cut = new AbortController();
  readonly #said: string[] = [];
  #calls = 0;
  #chars = 0;

  constructor(stage: Stage, id: string, steps: readonly Step[]) {
    this.id = id;
    this.#stage = stage;
    this.#steps = [...steps];
  }

  add(steps: readonly Step[]): void {
    this.#steps.push(...steps);
  }

  interrupt(): void {
    this.#cut.abort();
  }

  async play(): Promise<Stopped> {
    const { interrupted, trouble, words } = await this.#end();
    const reply = words ?? this.#said.join('\n');
    const byKind = { input: 10, output: this.#calls + this.#chars, cacheRead: 0, cacheWrite: 0 };
    const stopped = { turn: this.id, reply, interrupted, trouble, tokens: byKind.input + byKind.output, byKind };
    const { places, conversation } = this.#stage;
    conversation.write({ type: 'end', atMs: places.clock.wallMs(), ...stopped });
    return stopped;
  }

  async #end(): Promise<End> {
    try {
      for (let step = this.#steps.shift(); step !== undefined; step = this.#steps.shift()) {
        const end = await this.#do(step);
        if (end !== null) return end;
      }
      return { interrupted: false, trouble: null };
    } catch (error) {
      if (this.#cut.signal.aborted) return { interrupted: true, trouble: null };
      throw error;
    }
  }

  async #do(step: Step): Promise<End | null> {
    this.#cut.signal.throwIfAborted();
    switch (step.do) {
      case 'say':
        this.#say(step.text);
        return null;
      case 'big':
        this.#say('x'.repeat(step.chars));
        return null;
      case 'use':
        await this.#use(step.tool, step.input);
        return null;
      case 'wait':
        await this.#wait(step.path);
        return null;
      case 'sleep':
        await this.#sleep(step.ms);
        return null;
      case 'wonder':
        this.#say(await this.#stage.wonder(step.about, this.#cut.signal));
        return null;
      case 'stray':
        this.#stage.stray();
        return null;
      case 'half':
        await this.#half(step.path);
        return null;
      default:
        return endOf(step, this.#stage.places.clock.wallMs());
    }
  }

  #say(text: string): void {
    this.#chars += text.length;
    this.#said.push(text);
  }

  async #wait(path: string): Promise<void> {
    const whole = resolve(this.#stage.places.cwd, path);
    while (!existsSync(whole)) await this.#sleep(WAIT_MS);
  }

  async #sleep(ms: number): Promise<void> {
    await this.#stage.places.clock.sleep(ms, this.#cut.signal);
    this.#cut.signal.throwIfAborted();
  }

  async #half(path: string | null): Promise<void> {
    this.#calls += 1;
    const call = { call: `${this.id}.${this.#calls}`, tool: 'half', input: {} };
    const rest = this.#stage.sayHalf({ on: 'called', turn: this.id, ...call });
    if (path === null) hang();
    else await this.#wait(path);
    rest();
    this.#stage.say({ on: 'returned', call: call.call, tool: call.tool, error: null });
  }

  async #use(tool: string, input: unknown): Promise<void> {
    const { places, conversation, say, ask } = this.#stage;
    this.#calls += 1;
    const call = { call: `${this.id}.${this.#calls}`, tool, input };
    const answer = (await ask?.(this.id, call, this.#cut.signal)) ?? { allow: true, why: '' };
    this.#cut.signal.throwIfAborted();
    if (!answer.allow) return this.#say(`${tool} was denied: ${answer.why}`);
    const used = { ...call, input: answer.input ?? input };
    conversation.write({ type: 'call', turn: this.id, atMs: places.clock.wallMs(), ...used });
    say({ on: 'called', turn: this.id, ...used });
    const { error, text } = await useTool(places, tool, used.input, this.#cut.signal);
    conversation.write({ type: 'result', call: call.call, error, text, atMs: places.clock.wallMs() });
    say({ on: 'returned', call: call.call, tool, error });
    this.#cut.signal.throwIfAborted();
    if (text !== '' || error !== null) this.#say(error === null ? text : `${error}: ${text}`);
  }
}

type Ending = Extract<Step, { do: 'limit' | 'fail' | 'crash' | 'exit' | 'hang' }>;

function endOf(step: Ending, nowMs: number): End {
  switch (step.do) {
    case 'limit': {
      const trouble: Trouble = { kind: 'limited', untilMs: nowMs + step.seconds * 1_000 };
      return { interrupted: false, trouble, words: `the limit is reached for ${step.seconds} s` };
    }
    case 'fail':
      return { interrupted: false, trouble: { kind: 'other' }, words: step.words };
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
      return hang();
    case 'exit':
      return process.exit(step.status);
    case 'hang':
      return hang();
  }
}

/** Blocks the whole process; only a signal ends it. */
function hang(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
