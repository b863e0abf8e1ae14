import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { PolicyInput } from '../../src/api/policy-shape.ts';
import type { EventView, SessionView } from '../../src/api/shapes.ts';
import { realClock } from '../../src/base/clock.ts';
import type { Session } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { makeWorld, type World, type WorldOptions } from '../world.ts';

export interface AgentOptions {
  readonly live?: boolean;
  readonly terminal?: 'pty' | 'tmux';
  readonly steps?: readonly object[];
  readonly text?: string;
  readonly policy?: PolicyInput;
  readonly manners?: Partial<Manners>;
  readonly keepOpen?: boolean;
  /** The home folder, and so the account; by default a new one. */
  readonly home?: string;
}

/** A scripted agent, and what it did. */
export interface Agent {
  readonly session: Session;
  readonly home: string;
  readonly workspace: string;
  /** The lines that its tools wrote. */
  ledger(): string[];
  view(): Promise<SessionView>;
  pid(): Promise<number>;
  events(): Promise<EventView[]>;
  /** Waits until this many events of the type exist. */
  untilEvent(event: string, count?: number): Promise<EventView>;
  reply(msMax?: number): Promise<{ met: string; reply: string | null }>;
  /** The prompts that the agent received, by its own transcript. */
  receivedPrompts(): Promise<string[]>;
  /** The runs with live processes: never more than one. */
  runs(): string[];
}

/** A daemon, and scripted agents. */
export async function recoveryWorld(options: WorldOptions = {}) {
  const world = await makeWorld(options);
  const homes = mkdtempSync(join(world.state, 'homes-'));
  let count = 0;
  const agent = async (options: AgentOptions): Promise<Agent> => {
    count += 1;
    const home = options.home ?? join(homes, String(count));
    const workspace = join(homes, `w${count}`);
    mkdirSync(join(home, '.outlast-scripted'), { recursive: true });
    mkdirSync(workspace);
    writeFileSync(join(home, '.outlast-scripted', 'manners.json'), JSON.stringify(options.manners ?? {}));
    const session = await world.client.start({ ...startOf(options), cwd: workspace, env: homeEnv(home) });
    return agentOf(world, session, { home, workspace });
  };
  return { world, agent, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** A recovery world with a daemon whose wall clock can be set. */
export async function shiftedWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'outlast-shift-'));
  const file = join(folder, 'ms');
  const shift = (ms: number): void => writeFileSync(file, String(ms));
  shift(0);
  const read = `Number(readFileSync(${JSON.stringify(file)}, 'utf8'))`;
  const code = `import { readFileSync } from 'node:fs'; const now = Date.now; Date.now = () => now() + ${read};`;
  writeFileSync(join(folder, 'shift.mjs'), code);
  const place = await recoveryWorld({ wrap: ['env', `NODE_OPTIONS=--import=${join(folder, 'shift.mjs')}`] });
  return {
    ...place,
    shift,
    [Symbol.asyncDispose]: async () => {
      await place[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type RecoveryWorld = Awaited<ReturnType<typeof recoveryWorld>>;

const EVENT_MS_MAX = 45_000;

/** A prompt that contains the script of its turn. */
export const story = (...steps: readonly object[]): string => `Go. SCRIPT${JSON.stringify({ steps })}SCRIPT`;
export const bash = (command: string, more: object = {}): object => ({ tool: 'Bash', input: { command }, ...more });
/** A tool call that writes a line into the ledger. */
export const mark = (word: string, more: object = {}): object => bash(`echo ${word} >> ledger`, more);

/** The duration of some work. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const clock = realClock();
  const beganMs = clock.steadyMs();
  return { value: await work(), ms: clock.steadyMs() - beganMs };
}

/** Fails if something happens within this time. */
export async function never(check: () => Promise<boolean> | boolean, forMs: number, what: string): Promise<void> {
  const clock = realClock();
  const endMs = clock.steadyMs() + forMs;
  while (clock.steadyMs() < endMs) {
    if (await check()) throw new Error(`${what} happened`);
    await clock.sleep(50);
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function homeEnv(home: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '', HOME: home };
}

function startOf({ live = false, terminal = 'pty', steps, text, policy = {}, keepOpen = true }: AgentOptions) {
  return {
    agent: 'scripted',
    drive: live ? ('live' as const) : ('turns' as const),
    ...(live ? { terminal } : {}),
    ...(steps === undefined && text === undefined ? {} : { prompt: text ?? story(...(steps ?? [])) }),
    keepOpen,
    graceMs: 500,
    policy: { backoff: { msMin: 50, msMax: 500 }, ...policy },
  };
}

function agentOf(world: World, session: Session, { home, workspace }: { home: string; workspace: string }): Agent {
  const view = async (): Promise<SessionView> => (await session.show()).session;
  const events = async (): Promise<EventView[]> => {
    const all: EventView[] = [];
    for await (const event of world.client.events({ session: session.id })) all.push(event);
    return all;
  };
  return {
    session,
    home,
    workspace,
    ledger: () => linesOf(join(workspace, 'ledger')),
    view,
    pid: () => eventually(async () => (await view()).pid, { what: 'a process', msMax: 30_000 }),
    events,
    untilEvent: (name, count = 1) =>
      eventually(() => nthEvent(world, session.id, name, count), {
        what: `${name}, ${count} times`,
        msMax: EVENT_MS_MAX,
      }),
    reply: (msMax = 45_000) => session.reply({ timeoutMs: msMax }),
    receivedPrompts: async () => {
      const path = (await view()).transcript;
      return path === null ? [] : linesOf(path).flatMap(userText);
    },
    runs: () => runsOf(session.id),
  };
}

/** The nth event of a type, as soon as it exists. Follows the journal: polling would cost too much. */
async function nthEvent({ client }: World, session: string, type: string, nth: number): Promise<EventView | null> {
  const signal = AbortSignal.timeout(EVENT_MS_MAX);
  let count = 0;
  for await (const event of client.events({ session, types: [type], follow: true }, signal)) {
    count += event.event === type ? 1 : 0;
    if (count === nth) return event;
  }
  // The daemon is gone: the caller asks the next one.
  return null;
}

function userText(line: string): string[] {
  const { type, message } = JSON.parse(line);
  return type === 'user' && typeof message?.content === 'string' ? [message.content] : [];
}

function runsOf(id: string): string[] {
  const agents = processesOf(id).filter(({ pid }) => read(`/proc/${pid}/cmdline`).includes('scripted.js\0'));
  return [...new Set(agents.map(({ run }) => run))];
}

/** The processes with the run marker of a session. */
export function processesOf(id: string): { pid: number; run: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const [, run] = new RegExp(`OUTLAST_RUN=${id}\\.(\\d+)`).exec(read(`/proc/${name}/environ`)) ?? [];
    return run === undefined ? [] : [{ pid: Number(name), run }];
  });
}

function linesOf(path: string): string[] {
  return read(path).split('\n').filter(Boolean);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
