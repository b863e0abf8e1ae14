import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { EventLine, Session, StartInput } from '../../src/client/index.ts';
import { type ModelServer, startModelServer } from '../e2e-real/model-server.ts';
import { eventually } from '../eventually.ts';
import { RUDE } from '../scripted/manners.ts';
import { type Ran, World, type WorldOptions } from '../world.ts';
import { toolsWithoutTmux } from './tools.ts';
import { environment, installAgent } from './under-test/claude-home.ts';
import { heardIn } from './under-test/claude-received.ts';

/** Who plays: our stand-in, or the real Claude Code of a version. */
export type Player = 'scripted' | '2.1.325' | '2.1.197';

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

/** A story is told on a stage, with whichever agent plays there. */
export type Story = (open: (options?: StageOptions) => Promise<Stage>) => Promise<void>;

/** Stories under the sentences that they prove. */
export type Stories = Readonly<Record<string, Story>>;

/** A daemon, an agent with a home of its own, and a workspace. */
export class Stage implements AsyncDisposable {
  readonly player: Player;
  readonly world: World;
  readonly root: string;
  readonly workspace: string;
  readonly config: string;
  /** The model that the real agent talks to. */
  readonly model: ModelServer | null;
  /** What a caller has around it. */
  readonly env: Record<string, string>;

  constructor(player: Player, world: World, root: string, model: ModelServer | null) {
    this.player = player;
    this.world = world;
    this.root = root;
    this.model = model;
    this.workspace = join(root, 'workspace');
    this.config = join(root, 'config');
    this.env = environment(root, model?.url ?? null);
  }

  get agent(): 'scripted' | 'claude' {
    return this.player === 'scripted' ? 'scripted' : 'claude';
  }

  /** Changes how the scripted agent behaves from its next process on. The real one has the manners it has. */
  behave(manners: Partial<Manners>): void {
    if (this.player === 'scripted') writeFileSync(join(this.config, 'manners.json'), JSON.stringify(manners));
  }

  /** Another workspace. */
  folder(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  start(input: StartInput = {}): Promise<Session> {
    return this.world.client.start({ agent: this.agent, cwd: this.workspace, env: this.env, ...input });
  }

  /** A live one that is ready for its first prompt. */
  async live(input: StartInput = {}): Promise<Session> {
    const session = await this.start({ drive: 'live', ...input });
    const { met } = await session.waitFor('idle', { timeoutMs: 30_000 });
    if (met !== 'idle') throw new Error(`not ready but ${met}: ${(await session.screen()).rows.join('\n')}`);
    return session;
  }

  /** The command line, as a caller in the workspace runs it; `run` and `start` get this stage's agent. */
  cli(words: readonly string[], options: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {}): Promise<Ran> {
    const [name = ''] = words;
    const all = name === 'run' || name === 'start' ? [...words, '--agent', this.agent] : words;
    return this.world.cli(all, { ...options, env: { ...this.env, ...options.env }, cwd: this.workspace });
  }

  /** The texts that the agent wrote down as prompts of this conversation, oldest first; without one, of all. */
  heard(conversation: string | null = null): string[] {
    return this.transcripts(conversation).flatMap(heardIn);
  }

  transcripts(conversation: string | null = null): string[] {
    const projects = join(this.config, 'projects');
    const folders = existsSync(projects) ? readdirSync(projects) : [];
    return folders
      .flatMap((folder) => readdirSync(join(projects, folder)).map((name) => join(projects, folder, name)))
      .filter((path) => path.endsWith(conversation === null ? '.jsonl' : `/${conversation}.jsonl`));
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

/** Opens a stage. Without a word about manners the scripted agent is rude. */
export async function openStage(player: Player, options: StageOptions = {}): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'ol-stage-'));
  for (const name of ['workspace', 'config', 'home', 'bin']) mkdirSync(join(root, name));
  const model = player === 'scripted' ? null : await startModelServer();
  if (player !== 'scripted') installAgent(root, player, options.isTrusted ?? true);
  const alone = { boot: { agents: [player === 'scripted' ? player : 'claude'] } };
  const world = new World(options.isAlone ? { ...options, config: { ...alone, ...options.config } } : options);
  const stage = new Stage(player, world, root, model);
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
