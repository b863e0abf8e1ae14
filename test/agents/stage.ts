import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { EventLine, Session, StartInput } from '../../src/client/index.ts';
import type { ModelServer } from '../e2e-real/model-server.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import { type Ran, World, type WorldOptions } from '../world.ts';
import { toolsWithoutTmux } from './tools.ts';
import type { AgentUnderTest, TurnStep } from './under-test/agent.ts';
import { firstLack, type Need } from './under-test/needs.ts';

/** What a story wants different. */
export interface StageOptions extends WorldOptions {
  readonly manners?: Partial<Manners>;
  /** Has a person said in the real agent itself that the workspace is trusted? Default: yes. */
  readonly isTrusted?: boolean;
  /** Does the daemon know the conversations of this agent only? The stand-in's look like those of the real one. */
  readonly isAlone?: boolean;
  /** Is there no tmux on this machine? */
  readonly lacksTmux?: boolean;
}

/** What happens in a story: it is told on a stage, with whichever agent plays there. */
export type Play = (open: (options?: StageOptions) => Promise<Stage>) => Promise<void>;

/** A story, and what it needs of an agent besides what its family needs. */
export type Story = Play | { readonly needs: readonly Need[]; readonly play: Play };

/** A story that not every agent can play. */
export function needing(needs: readonly Need[], play: Play): Story {
  return { needs, play };
}

/** Stories under the sentences that they prove. */
export type Stories = Readonly<Record<string, Story>>;

/** A daemon, an agent with a home of its own, and a workspace. */
export class Stage implements AsyncDisposable {
  readonly agent: AgentUnderTest;
  readonly world: World;
  readonly root: string;
  readonly workspace: string;
  readonly config: string;
  /** The model that the agent talks to; null: it has none. */
  readonly model: ModelServer | null;
  /** What a caller has around it. */
  readonly env: Record<string, string>;

  constructor(agent: AgentUnderTest, world: World, root: string, model: ModelServer | null) {
    this.agent = agent;
    this.world = world;
    this.root = root;
    this.model = model;
    this.workspace = join(root, 'workspace');
    this.config = join(root, 'config');
    this.env = agent.environment(root, model?.url ?? null);
  }

  /** Does the agent have this? A story that differs in a detail asks; one that cannot be played without it says so. */
  has(need: Need): boolean {
    return firstLack(this.agent, [need]) === null;
  }

  /** A prompt that makes the agent do this in one turn. */
  script(...steps: readonly TurnStep[]): string {
    return this.agent.prompt(steps);
  }

  /** A prompt that is in the middle of a command until a file appears; then the agent says the text. */
  untilFile(path: string, text: string): string {
    return this.script({ until: path }, { say: text });
  }

  /** Changes how the agent behaves from its next process on, if it misbehaves on command. */
  behave(manners: Partial<Manners>): void {
    this.agent.behave(this.root, manners);
  }

  /** Another workspace. */
  folder(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  start(input: StartInput = {}): Promise<Session> {
    const { name: agent, stays } = this.agent;
    const screen = stays === 'live' && input.drive === 'live' ? { tui: true } : {};
    return this.world.client.start({ agent, ...screen, cwd: this.workspace, env: this.env, ...input });
  }

  /** A live one that is ready for its first prompt. */
  async live(input: StartInput = {}): Promise<Session> {
    const session = await this.start({ drive: 'live', ...input });
    const { met } = await session.waitFor('idle', { timeoutMs: 30_000 });
    if (met !== 'idle') throw new Error(`not ready but ${met}: ${(await session.screen()).rows.join('\n')}`);
    return session;
  }

  /** One that is run so, ready for its first prompt. */
  begin(drive: 'turns' | 'live', input: StartInput = {}): Promise<Session> {
    return drive === 'live' ? this.live(input) : this.start(input);
  }

  /** The command line, as a caller in the workspace runs it; `run` and `start` get this stage's agent. */
  cli(words: readonly string[], options: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {}): Promise<Ran> {
    const [name = ''] = words;
    const screen = words.includes('--live') && this.agent.stays === 'live' ? ['--tui'] : [];
    const isStart = name === 'run' || name === 'start';
    const all = isStart ? [...words, ...screen, '--agent', this.agent.name] : words;
    return this.world.cli(all, { ...options, env: { ...this.env, ...options.env }, cwd: this.workspace });
  }

  /** The texts that the agent wrote down as prompts of this conversation, oldest first; without one, of all. */
  heard(conversation: string | null = null): string[] {
    return this.agent.received(this.root, conversation);
  }

  /** The files in which the agent wrote this conversation down; without one, all of them. */
  transcripts(conversation: string | null = null): string[] {
    return this.agent.files(this.root, conversation);
  }

  /** Waits until the agent has written these prompts down; then they are all there are. */
  async hears(texts: readonly string[], conversation: string | null = null): Promise<void> {
    const wanted = JSON.stringify(texts);
    const heard = (): string => JSON.stringify(this.heard(conversation));
    await eventually(() => this.heard(conversation).length >= texts.length).catch(() => {});
    await eventually(() => heard() === wanted, { msMax: 10_000 }).catch(() => {
      throw new Error(`the agent heard ${heard()} instead of ${wanted}`);
    });
  }

  /** What happened to a session so far. */
  async events(session: string, ...types: string[]): Promise<EventLine[]> {
    const found: EventLine[] = [];
    const wanted = types.length === 0 ? {} : { types };
    for await (const event of this.world.client.events({ session, ...wanted })) found.push(event);
    return found;
  }

  /** The names of what happened to a session so far. */
  async names(session: string, ...types: string[]): Promise<string[]> {
    return (await this.events(session, ...types)).map(({ event }) => event);
  }

  /** Waits until this has happened so many times; gives the last. Follows the journal: to ask often costs much. */
  async happens(session: string, type: string, times = 1, msMax = 45_000): Promise<EventLine> {
    const signal = AbortSignal.timeout(msMax);
    let count = 0;
    try {
      for await (const event of this.world.client.events({ session, types: [type], follow: true }, signal)) {
        count += 1;
        if (count === times) return event;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    throw new Error(`${type} of ${session} happened ${count} times in ${msMax} ms, not ${times}`);
  }

  /** The processes that live from this stage's home: the agent and all it started. */
  processes(): number[] {
    return readdirSync('/proc').flatMap((name) => {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
      const isOurs = read(`/proc/${name}/environ`).split('\0').includes(`HOME=${this.env.HOME}`);
      return isOurs && read(`/proc/${name}/environ`).includes('OUTLAST_RUN=') && !isDead(name) ? [Number(name)] : [];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    await this.model?.close();
    rmSync(this.root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  }
}

/** Opens a stage. Without a word about manners an agent that misbehaves on command is rude. */
export async function openStage(agent: AgentUnderTest, options: StageOptions = {}): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'ol-stage-'));
  for (const name of ['workspace', 'config', 'home', 'bin']) mkdirSync(join(root, name));
  const model = await agent.startModel();
  agent.install(root, { isTrusted: options.isTrusted ?? true });
  const alone = { boot: { agents: [agent.name] } };
  const world = new World(options.isAlone ? { ...options, config: { ...alone, ...options.config } } : options);
  const stage = new Stage(agent, world, root, model);
  if (options.lacksTmux) {
    world.env.PATH = `${join(root, 'bin')}:${dirname(process.execPath)}:${toolsWithoutTmux(root)}`;
    stage.env.PATH = world.env.PATH;
  }
  stage.behave(options.manners ?? RUDE);
  await world.start().catch(async (error) => {
    await stage[Symbol.asyncDispose]();
    throw error;
  });
  return stage;
}

function isDead(pid: string): boolean {
  return /\) Z /.test(read(`/proc/${pid}/stat`));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
