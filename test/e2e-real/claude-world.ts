import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentProgram } from '../../scripts/agents.ts';
import { hookSettings } from '../../src/agent/claude/hook-settings.ts';
import { type ClaudePlan, type ConversationPlan, claudeLaunch } from '../../src/agent/claude/launch.ts';
import { readStateFile, type StateFile } from '../../src/agent/claude/state-file.ts';
import type { Launch } from '../../src/core/launch.ts';
import type { RunRef } from '../../src/terminal/terminal.ts';
import { environment, seed } from '../agents/under-test/claude-home.ts';
import { eventually } from '../eventually.ts';
import { type TmuxTestWorld, tmuxWorld } from '../tmux-world.ts';
import { type ModelServer, startModelServer } from './model-server.ts';

/** A home, a workspace and a model for one real Claude Code, separate from those of the person who runs the tests. */
export interface ClaudeWorld extends AsyncDisposable {
  readonly root: string;
  readonly workspace: string;
  readonly configFolder: string;
  readonly server: ModelServer;
  readonly tmux: TmuxTestWorld;
  launch(drive: ClaudePlan['drive'], conversation: ConversationPlan, change?: Change): Launch;
  /** Runs one headless turn to its end. */
  turn(prompt: string, conversation: ConversationPlan, change?: Change): Promise<TurnRun>;
  /** Starts the full-screen mode in tmux. */
  live(conversation: ConversationPlan, change?: Change): Promise<RunRef>;
  /** The payloads of the hooks so far, in order. */
  hooks(): readonly Payload[];
  /** The state file of the agent with this pid, or of the only one. */
  stateFile(pid?: number): StateFile | null;
}

/** How a headless turn ended. */
export interface TurnRun {
  readonly pid: number;
  readonly status: number | null;
  readonly signal: string | null;
  readonly output: string;
  readonly error: string;
}

/** The input of a hook. */
export type Payload = Readonly<Record<string, unknown>>;

/** How one launch differs from the default. */
export type Change = Partial<Pick<ClaudePlan, 'mode' | 'settings' | 'model' | 'extra'>> & {
  readonly env?: Readonly<Record<string, string>>;
};

/** The state of the config folder. */
export interface WorldOptions {
  readonly version: string;
  /** `empty`: as before the first start. */
  readonly config?: 'seeded' | 'empty';
  readonly isTrusted?: boolean;
  readonly isBypassAccepted?: boolean;
}

const MODEL = 'claude-sonnet-4-6';

/** Creates the world. Its disposal removes everything, and fails if a process is still running. */
export async function claudeWorld(options: WorldOptions): Promise<ClaudeWorld> {
  const program = agentProgram(options.version);
  const root = mkdtempSync(join(tmpdir(), 'ol-real-'));
  const inside = (name: string): string => join(root, name);
  for (const name of ['home', 'config', 'workspace', 'hooks', 'turns']) mkdirSync(inside(name));
  const server = await startModelServer();
  const tmux = tmuxWorld();
  if (options.config !== 'empty') seedConfig(root, options);
  const settings = hookSettings(writeHook(root), 'live');
  const launch: ClaudeWorld['launch'] = (drive, conversation, change = {}) => {
    const { env = {}, ...plan } = change;
    const made = claudeLaunch({
      ...{
        program,
        drive,
        conversation,
        settings,
        mode: 'none',
        isGated: false,
        permissionServer: null,
      },
      ...{
        model: MODEL,
        thinking: null,
        extra: [],
        env: { ...environment(root, server.url), PATH: process.env.PATH ?? '' },
        envNames: [],
      },
      ...plan,
    });
    if (!made.ok) throw new Error(`refused: ${JSON.stringify(made.refused)}`);
    const whole = { ...made.env, ...env };
    return { argv: made.argv, env: whole, cwd: inside('workspace'), umask: 0o022, stdin: 'open', split: false };
  };
  return {
    ...{ root, workspace: inside('workspace'), configFolder: inside('config'), server, tmux, launch },
    turn: (prompt, conversation, change) => runTurn(inside('turns'), prompt, launch('turns', conversation, change)),
    live: async (conversation, change) => {
      const ref = tmux.ref();
      await tmux.terminal.open(ref, launch('live', conversation, change), { columns: 120, rows: 40 });
      return ref;
    },
    hooks: () => payloadsIn(inside('hooks')),
    stateFile: (pid) => stateIn(join(inside('config'), 'sessions'), pid),
    [Symbol.asyncDispose]: async () => {
      await tmux[Symbol.asyncDispose]();
      await server.close();
      await expectNoProcesses(inside('home'));
      rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
    },
  };
}

function seedConfig(root: string, { isTrusted = true, isBypassAccepted = true }: WorldOptions): void {
  seed(root, isTrusted, isBypassAccepted ? { bypassPermissionsModeAccepted: true } : {});
}

/** A hook that writes each payload to its own file, atomically. */
function writeHook(root: string): string {
  const path = join(root, 'hook.sh');
  const [part, whole] = [`'${root}/hooks/'".$at"`, `'${root}/hooks/'"$at"`];
  const script = `#!/bin/sh\nat="$(date +%s%N).$$"\ncat > ${part} && mv ${part} ${whole}\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

function payloadsIn(folder: string): Payload[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

function runTurn(folder: string, prompt: string, { argv, env, cwd }: Launch): Promise<TurnRun> {
  const file = (name: string): string => join(folder, `${readdirSync(folder).length}-${name}`);
  const [input, output, error] = [file('in'), file('out'), file('err')];
  writeFileSync(input, prompt);
  const handles = [openSync(input, 'r'), openSync(output, 'w'), openSync(error, 'w')];
  const [program, ...args] = argv;
  const child = spawn(program, args, { cwd, env, stdio: handles });
  for (const handle of handles) closeSync(handle);
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (status, signal) =>
      done({
        pid: child.pid ?? 0,
        ...{ status, signal },
        output: readFileSync(output, 'utf8'),
        error: readFileSync(error, 'utf8'),
      }),
    );
  });
}

function stateIn(folder: string, pid: number | undefined): StateFile | null {
  try {
    const [name] = pid === undefined ? readdirSync(folder).filter((each) => each.endsWith('.json')) : [`${pid}.json`];
    return name === undefined ? null : readStateFile(readFileSync(join(folder, name), 'utf8'));
  } catch {
    return null;
  }
}

/** Fails if a process with this home still runs, after killing it. */
async function expectNoProcesses(home: string): Promise<void> {
  const left = (): StrayProcess[] => processesWith(`HOME=${home}`);
  try {
    await eventually(() => left().length === 0, { msMax: 30_000 });
  } catch {
    const found = left();
    for (const { pid } of found) process.kill(pid, 'SIGKILL');
    throw new Error(`left running: ${found.map(({ pid, command }) => `${pid} ${command}`).join('; ')}`);
  }
}

interface StrayProcess {
  readonly pid: number;
  readonly command: string;
}

function processesWith(variable: string): StrayProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const has = procFile(pid, 'environ').split('\0').includes(variable);
      return has ? [{ pid: Number(pid), command: procFile(pid, 'cmdline').replaceAll('\0', ' ') }] : [];
    });
}

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
