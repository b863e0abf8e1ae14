import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView, SessionView } from '../../src/api/shapes.ts';
import type { Session, StartInput } from '../../src/client/index.ts';
import type { SessionId } from '../../src/core/session.ts';
import { runIdentities } from '../../src/terminal/look.ts';
import { isAlive, signal } from '../../src/terminal/processes.ts';
import { type RunFolder, runFolder } from '../../src/terminal/run-folder.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type World, type WorldOptions } from '../world.ts';

export type WireName = 'stdio' | 'websocket' | 'http';

const AGENTS: Readonly<Record<WireName, string>> = { stdio: 'echo', websocket: 'echo-websocket', http: 'echo-http' };

/** Long enough for a busy machine. No test waits this long when it passes. */
const MS_MAX = 90_000;

/** A daemon, and an agent that runs as a server. */
export class ServerStage implements AsyncDisposable {
  readonly world: World;
  readonly workspace: string;
  readonly session: Session;
  readonly #home: string;

  private constructor(world: World, session: Session, home: string, workspace: string) {
    this.world = world;
    this.session = session;
    this.#home = home;
    this.workspace = workspace;
  }

  /** Starts a daemon and a session, and waits until the session is idle, unless `isReady` is false. */
  static async open(wire: WireName, input: StartInput = {}, options: WorldOptions & { isReady?: boolean } = {}) {
    const world = await makeWorld(options);
    try {
      const [home, cwd] = [join(world.state, 'home'), join(world.state, 'workspace')];
      mkdirSync(cwd);
      const { env = {}, ...rest } = input;
      const start = { agent: AGENTS[wire], drive: 'live', keepOpen: true, graceMs: 500, cwd, ...rest } as const;
      const policy = { backoff: { msMin: 50, msMax: 500 }, ...rest.policy };
      const all = { PATH: process.env.PATH ?? '', HOME: home, ...env };
      const session = await world.client.start({ ...start, policy, env: all });
      const stage = new ServerStage(world, session, home, cwd);
      if (options.isReady !== false) await stage.until('idle');
      return stage;
    } catch (error) {
      await world[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Waits for a phase of the session. */
  async until(phase: string): Promise<void> {
    await eventually(async () => (await this.view()).phase === phase, {
      msMax: MS_MAX,
      what: `a session that is ${phase}`,
    });
  }

  async view(): Promise<SessionView> {
    return (await this.session.show()).session;
  }

  async events(): Promise<EventView[]> {
    const all: EventView[] = [];
    for await (const event of this.world.client.events({ session: this.session.id })) all.push(event);
    return all;
  }

  /** Waits for this many events of a type; returns the last of them. */
  async untilEvent(type: string, count = 1): Promise<EventView> {
    const what = `${type}, ${count} times`;
    return eventually(async () => (await this.events()).filter(({ event }) => event === type)[count - 1], {
      msMax: MS_MAX,
      what,
    });
  }

  /** The result of a prompt. */
  async reply(prompt: string): Promise<{ met: string; reply: string | null }> {
    return this.session.reply({ prompt, timeoutMs: MS_MAX });
  }

  /** Waits until a prompt is answered, failed or unsure. */
  async settled(prompt: string): Promise<string> {
    const isEnd = (event: EventView): boolean =>
      ['prompt.answered', 'prompt.unsure', 'prompt.failed'].includes(event.event) && event.body.prompt === prompt;
    return (await eventually(async () => (await this.events()).find(isEnd), { msMax: MS_MAX })).event;
  }

  /** The prompts that the agent received in all of its processes, by its own record. */
  receivedPrompts(): string[] {
    return this.#lines('heard.jsonl').map(({ text }) => String(text));
  }

  /** The tool calls of the agent, recorded before they had any effect. */
  uses(): string[] {
    return this.#lines('uses.jsonl').map(({ input }) => JSON.stringify(input));
  }

  file(name: string): string {
    return join(this.workspace, name);
  }

  /** The files of a run. */
  files(run = 1): RunFolder {
    return runFolder(this.world.state, this.#ref(run));
  }

  /** Sends a signal to a process of a run, even without a daemon. A killed process is gone when this resolves. */
  async sendSignal(who: 'command' | 'keeper', name: NodeJS.Signals, run = 1): Promise<void> {
    const identity = runIdentities(this.world.state, this.#ref(run))[who];
    if (identity === null || !signal(identity, name)) throw new Error(`there is no ${who} of run ${run}`);
    if (name === 'SIGKILL') await eventually(() => !isAlive(identity));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }

  #ref(run: number): RunRef {
    return { session: this.session.id as SessionId, run };
  }

  #lines(name: string): Readonly<Record<string, unknown>>[] {
    const path = join(this.#home, '.outlast-echo', name);
    if (!existsSync(path)) return [];
    const text = readFileSync(path, 'utf8');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }
}
