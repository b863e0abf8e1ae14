import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import type { Options } from './args.ts';
import { Background } from './background.ts';
import { Conversation } from './conversation.ts';
import type { Failure } from './failure.ts';
import type { HookAnswer } from './hook-answer.ts';
import type { CallHooks } from './hooks.ts';
import type { Fields } from './json.ts';
import type { Manners } from './manners.ts';
import { payloadOf } from './payload.ts';
import { transcriptPath } from './places.ts';
import type { StateFile } from './state-file.ts';
import { openTranscript } from './transcript.ts';

/** The visible side of the agent: the full screen, or a stream of JSON. */
export interface Face {
  /** A turn began: its prompt was received. */
  began(): void;
  /** A line was added to the conversation. */
  wrote(line: Fields): void;
  /** The text that has streamed in so far. */
  streaming(text: string): void;
  failed(failure: Failure): void;
  /** Asks a person; in print mode there is none. */
  ask(dialog: AskDialog, signal: AbortSignal): Promise<'yes' | 'no' | 'nobody'>;
}

/** A question in the middle of a turn. */
export interface AskDialog {
  readonly kind: 'permission' | 'question';
  readonly tool: string;
  readonly input: Fields;
}

/** The dependencies of the agent. */
export interface Parts {
  readonly options: Options;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly config: string;
  readonly manners: Manners;
  readonly hooks: CallHooks;
  /** The tools that always require a question. */
  readonly asked: readonly string[];
  readonly state: StateFile;
}

const LEFT_CHILD_SECONDS = 1_000;
const IDLE_MS = 60_000;

/** The scripted agent: one process, one conversation at a time. */
export class Agent {
  readonly parts: Parts;
  conversation: Conversation;
  face: Face = NOBODY;
  readonly background = new Background();
  /** Prompts that arrived while it was busy. */
  readonly queue: string[] = [];
  readonly denials: Fields[] = [];
  /** The dialog that was opened last: there is only one at a time. */
  asking: Promise<unknown> = Promise.resolve();
  /** True until a tool was called in this process. */
  isFirstTool = true;
  #hasLeft = false;
  #idle = new AbortController();

  constructor(parts: Parts, conversation: { readonly id: string; readonly path: string; readonly past: Fields[] }) {
    this.parts = parts;
    this.conversation = this.#conversation(conversation.id, conversation.path, conversation.past);
  }

  hook(event: string, fields: Fields, subject = '', signal?: AbortSignal): Promise<HookAnswer> {
    return this.parts.hooks(event, payloadOf(this.conversation, event, fields), subject, signal);
  }

  /** The environment of the processes that the agent starts. */
  childEnv(): Record<string, string | undefined> {
    const { place } = this.conversation;
    const marks = { CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: place.id, CLAUDE_CODE_ENTRYPOINT: place.entrypoint };
    return { ...this.parts.env, ...marks };
  }

  /** A prompt while busy is accepted at once, under the id of the running one, and given to the model in between. */
  enqueue(text: string): void {
    this.queue.push(text);
    this.conversation.enqueue(text);
    void this.hook('UserPromptSubmit', { prompt: text });
  }

  /** Starts another conversation in the same process. */
  async clear(): Promise<void> {
    await this.hook('SessionEnd', { reason: 'clear' }, 'clear');
    this.conversation.transcript.flush();
    const id = randomUUID();
    this.conversation = this.#conversation(id, transcriptPath(this.parts.config, this.parts.cwd, id), []);
    this.parts.state.follow(id);
    await this.hook('SessionStart', { source: 'clear' }, 'clear');
  }

  /** Shuts down: the last hook, the last lines, no state file. */
  async end(reason: string): Promise<void> {
    await this.parts.clock.sleep(this.parts.manners.endMs);
    await this.hook('SessionEnd', { reason }, reason);
    this.conversation.transcript.flush();
    this.parts.state.remove();
  }

  /** A turn begins: the agent no longer waits for input. */
  busy(): void {
    this.#idle.abort();
    this.parts.state.set('busy');
  }

  /** No turn runs. Much later a hook reports that the agent waits for input. */
  idle(): void {
    this.parts.state.set(this.background.running.length > 0 ? 'shell' : 'idle');
    this.#idle.abort();
    this.#idle = new AbortController();
    void this.notify(IDLE_MS, this.#idle.signal, 'idle_prompt', 'Claude is waiting for your input');
  }

  /** Calls the notification hook after a while, unless the signal fires first. */
  async notify(afterMs: number, signal: AbortSignal, kind: string, message: string): Promise<void> {
    await this.parts.clock.sleep(afterMs, signal);
    if (!signal.aborted) await this.hook('Notification', { message, notification_type: kind }, kind);
  }

  /** Starts a process that outlives the turn, once, if the manners say so. */
  leaveChild(): void {
    if (!this.parts.manners.leaveChild || this.#hasLeft) return;
    this.#hasLeft = true;
    const options = { cwd: this.parts.cwd, env: this.childEnv(), detached: true, stdio: 'ignore' } as const;
    spawn('sleep', [String(LEFT_CHILD_SECONDS)], options).unref();
  }

  #conversation(id: string, path: string, past: Fields[]): Conversation {
    const { options, clock, cwd, config, manners } = this.parts;
    const entrypoint = options.print ? 'sdk-cli' : 'cli';
    return new Conversation({
      place: { id, cwd, entrypoint, mode: options.mode, model: options.model },
      transcript: openTranscript(path, clock, manners.flushMs),
      clock,
      config,
      past,
      onLine: (line) => this.face.wrote(line),
    });
  }
}

const NOBODY: Face = {
  began: () => {},
  wrote: () => {},
  streaming: () => {},
  failed: () => {},
  ask: () => Promise.resolve('nobody'),
};
