import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hookSettings } from '../../src/agent/claude/hook-settings.ts';
import { type HookReport, readHook } from '../../src/agent/claude/hooks.ts';
import { type ClaudePlan, claudeLaunch } from '../../src/agent/claude/launch.ts';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import { readStateFile, type StateFile } from '../../src/agent/claude/state-file.ts';
import { conversationState, readLines } from '../../src/agent/claude/transcript.ts';
import { turns } from '../../src/agent/claude/turns.ts';
import type { Turn } from '../../src/agent/seam/turn.ts';
import type { Launch } from '../../src/core/launch.ts';
import { eventually } from '../eventually.ts';

export const PROGRAM = join(import.meta.dirname, '../../dist/scripted.js');
export const ID = '11111111-2222-4333-8444-555555555555';
export const OTHER = '99999999-2222-4333-8444-555555555555';

/** How a headless run ended. */
export interface PrintEnd {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A headless run in progress. */
export interface Printing {
  readonly child: ChildProcess;
  readonly end: Promise<PrintEnd>;
}

/** A home for the scripted agent: its configuration, a workspace, and a hook that records its payloads. */
export interface ScriptedWorld extends AsyncDisposable {
  readonly config: string;
  readonly workspace: string;
  launch(change?: Partial<ClaudePlan>): Launch;
  /** Starts a headless run with the given arguments. */
  start(args: readonly string[], input: string): Printing;
  /** Plays a prompt in a headless run, as our launcher would start it. */
  print(prompt: string, change?: Partial<ClaudePlan>): Promise<PrintEnd>;
  printing(prompt: string, change?: Partial<ClaudePlan>): Printing;
  /** The payloads of the hooks, in the order of their calls. */
  payloads(): Record<string, unknown>[];
  events(): string[];
  reports(): HookReport[];
  /** Waits until a hook was called `count` times; returns the payload of the last call. */
  hookCalled(event: string, count?: number): Promise<Record<string, unknown>>;
  transcript(id?: string): string;
  conversation(id?: string): ReturnType<typeof conversationState> & { readonly turns: readonly Turn[] };
  states(): StateFile[];
  /** The pids of the processes that were started here and still run. */
  processes(): number[];
}

/** Makes a world whose agent has these faults. */
export function scriptedWorld(manners: Partial<Manners> = {}, hookBody = ''): ScriptedWorld {
  const root = mkdtempSync(join(tmpdir(), 'ol-scripted-'));
  const [config, workspace, hook, received] = ['config', 'w', 'hook.sh', 'received'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  for (const folder of [config, workspace]) mkdirSync(folder);
  writeFileSync(join(config, 'manners.json'), JSON.stringify(manners));
  writeFileSync(hook, `#!/bin/sh\npayload=$(cat)\nprintf '%s\\n' "$payload" >>'${received}'\n${hookBody}\n`);
  chmodSync(hook, 0o755);
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: root,
    CLAUDE_CONFIG_DIR: config,
    OL_TEST: root,
  };
  const launch = (change: Partial<ClaudePlan> = {}): Launch => {
    const made = claudeLaunch({ ...PLAN, settings: hookSettings(hook, 'live'), env, envNames: ['OL_TEST'], ...change });
    if (!made.ok) throw new Error(JSON.stringify(made.refused));
    return { argv: made.argv, env: made.env, cwd: workspace, umask: 0o022, stdin: 'open', split: false };
  };
  const start = (args: readonly string[], input: string): Printing => run(args, { env, cwd: workspace, input });
  const payloads = (): Record<string, unknown>[] =>
    existsSync(received) ? linesOf(readFileSync(received, 'utf8')).map((line) => JSON.parse(line)) : [];
  const transcript = (id: string = ID): string => {
    const projects = join(config, 'projects');
    const folders = existsSync(projects) ? readdirSync(projects) : [];
    const path = folders.map((folder) => join(projects, folder, `${id}.jsonl`)).find(existsSync);
    return path === undefined ? '' : readFileSync(path, 'utf8');
  };
  const printing: ScriptedWorld['printing'] = (prompt, change) => start(launch(change).argv.slice(1), prompt);
  return {
    config,
    workspace,
    launch,
    start,
    printing,
    print: (prompt, change) => printing(prompt, change).end,
    payloads,
    events: () => payloads().map((payload) => String(payload.hook_event_name)),
    reports: () => payloads().map((payload) => readHook(payload) ?? fail(payload)),
    hookCalled: (event, count = 1) =>
      eventually(() => payloads().filter((payload) => payload.hook_event_name === event)[count - 1], {
        what: `${count} ${event}`,
      }),
    transcript,
    conversation: (id) => {
      const { entries } = readLines(transcript(id));
      return { ...conversationState(entries), turns: turns(entries) };
    },
    states: () => statesIn(join(config, 'sessions')),
    processes: () => processesOf(root),
    [Symbol.asyncDispose]: async () => {
      for (const pid of processesOf(root)) process.kill(pid, 'SIGKILL');
      await eventually(() => processesOf(root).length === 0, { what: 'the end of every process of this test' });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A prompt that carries its story. */
export function story(...steps: object[]): string {
  return `go SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}

const PLAN: ClaudePlan = {
  program: PROGRAM,
  drive: 'turns',
  conversation: { is: 'new', id: ID },
  mode: 'none',
  isGated: false,
  permissionServer: null,
  settings: '{}',
  model: 'claude-sonnet-4-6',
  thinking: null,
  extra: ['--disallowed-tools', 'AskUserQuestion', '--append-system-prompt', 'Be brief.'],
  env: {},
  envNames: [],
};

function run(args: readonly string[], at: { env: NodeJS.ProcessEnv; cwd: string; input: string }): Printing {
  const child = spawn(PROGRAM, [...args], { env: at.env, cwd: at.cwd, stdio: 'pipe' });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (piece) => (out.stdout += String(piece)));
  child.stderr.on('data', (piece) => (out.stderr += String(piece)));
  child.stdin.on('error', () => {});
  child.stdin.end(at.input);
  const end = new Promise<PrintEnd>((resolve) =>
    child.on('close', (status, signal) => resolve({ status, signal, ...out })),
  );
  return { child, end };
}

function linesOf(text: string): string[] {
  // The last line may be half written.
  return text.split('\n').slice(0, -1);
}

function statesIn(folder: string): StateFile[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readStateFile(readFileSync(join(folder, name), 'utf8')) ?? []);
}

/** The processes of this world, found by their environment. */
function processesOf(root: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const isZombie = / Z /.test(read(`/proc/${name}/stat`));
    return !isZombie && read(`/proc/${name}/environ`).includes(`OL_TEST=${root}\0`) ? [Number(name)] : [];
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function fail(payload: unknown): never {
  throw new Error(`our reader does not recognize ${JSON.stringify(payload)}`);
}
