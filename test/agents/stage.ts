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

/** How the stage of a story differs from the default. */
export interface StageOptions extends WorldOptions {
  readonly faults?: Partial<Manners>;
  /** Whether the workspace is trusted in the settings of the real agent. Default: yes. */
  readonly isTrusted?: boolean;
  /** Whether `boot` reads the conversations of this agent only: those of the stand-in look like Claude Code's. */
  readonly isAlone?: boolean;
  /** Whether tmux is hidden from the daemon and the agent. */
  readonly lacksTmux?: boolean;
}

/** The body of a story. It opens a stage with the agent under test. */
export type Play = (open: (options?: StageOptions) => Promise<Stage>) => Promise<void>;

/** A story, and what it needs in addition to its family's needs. */
export type Story = Play | { readonly needs: readonly Need[]; readonly play: Play };

/** A story that not every agent can run. */
export function needing(needs: readonly Need[], play: Play): Story {
  return { needs, play };
}

/** Stories by title. A title says what the story proves. */
export type Stories = Readonly<Record<string, Story>>;

/** A daemon, an agent with its own home, and a workspace. */
export class Stage implements AsyncDisposable {
  readonly agent: AgentUnderTest;
  readonly world: World;
  readonly root: string;
  readonly workspace: string;
  readonly config: string;
  /** The scripted model of the agent; null: it has none. */
  readonly model: ModelServer | null;
  /** The environment of a caller. */
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

  /** Whether the agent has this. A story that cannot run without it uses `needing` instead. */
  has(need: Need): boolean {
    return firstLack(this.agent, [need]) === null;
  }

  /** A prompt that makes the agent play these steps in one turn. */
  script(...steps: readonly TurnStep[]): string {
    return this.agent.prompt(steps);
  }

  /** A prompt whose command runs until a file appears; then the agent says the text. */
  untilFile(path: string, text: string): string {
    return this.script({ until: path }, { say: text });
  }

  /** Sets the faults of the agent, from its next process on. No effect on agents without faults on command. */
  setFaults(faults: Partial<Manners>): void {
    this.agent.setFaults(this.root, faults);
  }

  /** Creates another workspace. */
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

  /** Starts a live session and waits until it is ready for its first prompt. */
  async startLive(input: StartInput = {}): Promise<Session> {
    const session = await this.start({ drive: 'live', ...input });
    const { met } = await session.waitFor('idle', { timeoutMs: 60_000 });
    if (met !== 'idle') throw new Error(`not ready but ${met}: ${(await session.screen()).rows.join('\n')}`);
    return session;
  }

  /** Starts a session with this drive; a live one is ready for its first prompt. */
  startDriven(drive: 'turns' | 'live', input: StartInput = {}): Promise<Session> {
    return drive === 'live' ? this.startLive(input) : this.start(input);
  }

  /** Runs `outlast` in the workspace; `run` and `start` get this stage's agent. */
  cli(words: readonly string[], options: { input?: string | Buffer; env?: NodeJS.ProcessEnv } = {}): Promise<Ran> {
    const [name = ''] = words;
    const screen = words.includes('--live') && this.agent.stays === 'live' ? ['--tui'] : [];
    const isStart = name === 'run' || name === 'start';
    const all = isStart ? [...words, ...screen, '--agent', this.agent.name] : words;
    return this.world.cli(all, { ...options, env: { ...this.env, ...options.env }, cwd: this.workspace });
  }

  /** The prompts in the transcript of this conversation, oldest first; without one, in all transcripts. */
  received(conversation: string | null = null): string[] {
    return this.agent.received(this.root, conversation);
  }

  /** The transcript files of this conversation; without one, of all conversations. */
  transcripts(conversation: string | null = null): string[] {
    return this.agent.files(this.root, conversation);
  }

  /** Waits until the transcript has these prompts, and fails if it has others. */
  async expectReceived(texts: readonly string[], conversation: string | null = null): Promise<void> {
    const wanted = JSON.stringify(texts);
    const received = (): string => JSON.stringify(this.received(conversation));
    await eventually(() => this.received(conversation).length >= texts.length).catch(() => {});
    await eventually(() => received() === wanted, { msMax: 10_000 }).catch(() => {
      throw new Error(`the agent received ${received()} instead of ${wanted}`);
    });
  }

  /** The events of a session so far. */
  async events(session: string, ...types: string[]): Promise<EventLine[]> {
    const found: EventLine[] = [];
    const wanted = types.length === 0 ? {} : { types };
    for await (const event of this.world.client.events({ session, ...wanted })) found.push(event);
    return found;
  }

  /** The names of the events of a session so far. */
  async eventNames(session: string, ...types: string[]): Promise<string[]> {
    return (await this.events(session, ...types)).map(({ event }) => event);
  }

  /** Waits for the nth event of a type and returns it. Follows the journal, because polling is expensive. */
  async waitForEvent(session: string, type: string, times = 1, msMax = 100_000): Promise<EventLine> {
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
    throw new Error(`${type} of ${session} occurred ${count} times in ${msMax} ms, not ${times}`);
  }

  /** Waits until the agent of this session runs a call. */
  async waitForCall(session: string): Promise<void> {
    const { isCalling } = this.agent;
    if (isCalling === undefined) await this.waitForEvent(session, 'tool.called');
    else
      await eventually(async () => isCalling(this.root, (await this.world.client.show(session)).session.conversation), {
        msMax: 45_000,
        what: 'a call that runs',
      });
  }

  /** The processes of this stage's runs: the agent and everything that it started. */
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

/** Opens a stage. An agent with faults on command gets `RUDE` unless the options say otherwise. */
export async function openStage(agent: AgentUnderTest, options: StageOptions = {}): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'ol-stage-'));
  for (const name of ['workspace', 'config', 'home', 'bin']) mkdirSync(join(root, name));
  const model = await agent.startModel();
  agent.install(root, { isTrusted: options.isTrusted ?? true, model: model?.url ?? null });
  const alone = { boot: { agents: [agent.name] } };
  const world = new World(options.isAlone ? { ...options, config: { ...alone, ...options.config } } : options);
  const stage = new Stage(agent, world, root, model);
  if (options.lacksTmux) {
    world.env.PATH = `${join(root, 'bin')}:${dirname(process.execPath)}:${toolsWithoutTmux(root)}`;
    stage.env.PATH = world.env.PATH;
  }
  stage.setFaults(options.faults ?? RUDE);
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
