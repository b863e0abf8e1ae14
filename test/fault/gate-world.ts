import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import type { PolicyInput } from '../../src/api/policy-shape.ts';
import type { ApprovalView, EventLine, Session } from '../../src/client/index.ts';
import { wordsWithoutRow } from '../agents/gate-rows.ts';
import { gatedWorld } from '../e2e/gated.ts';
import { eventually } from '../eventually.ts';
import type { World, WorldOptions } from '../world.ts';
import { bash, story } from './recovery-world.ts';

/** Options of an agent behind a gate. */
export interface GatedOptions {
  readonly steps: readonly object[];
  readonly live?: boolean;
  readonly mode?: 'gate' | 'watch';
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly manners?: Partial<Manners>;
  readonly policy?: PolicyInput;
  /** The settings in its workspace. */
  readonly folder?: object;
}

/** An agent behind a gate, and what it did. */
export interface Gated {
  readonly session: Session;
  readonly workspace: string;
  /** The words of the calls that were made, in order. */
  made(): string[];
  /** Changes how the agent behaves from its next process on. */
  behave(manners: Partial<Manners>): void;
  events(...types: string[]): Promise<EventLine[]>;
  /** Waits for the question about the call with this word. */
  untilAsked(word: string): Promise<ApprovalView>;
  /** Waits until the turn has ended. Returns the transcripts of the agent and its sub-agents. */
  untilTurnEnds(): Promise<string>;
  /** Calls that were made although no row of the audit allows them. */
  unallowed(): Promise<string[]>;
}

/** The hook commands of a run behind a gate. */
export interface GateHooks {
  readonly asks: string;
  readonly confirms: string;
}

/** A tool call that writes its word to a file when it runs. */
export const writesWord = (word: string, more: object = {}): object => bash(commandOf(word), more);
const commandOf = (word: string): string => `echo ${word} >> made`;

/** A daemon, and agents behind its gate. The gate of the scripted agent counts as proven. */
export async function gateWorld(options: WorldOptions = {}) {
  const world = await gatedWorld(options);
  // Outside the state folder, which may be on a full disk.
  const homes = mkdtempSync(join(tmpdir(), 'ol-gated-'));
  return {
    world,
    agent: (options: GatedOptions): Promise<Gated> => startGated(world, homes, options),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      rmSync(homes, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
    },
  };
}

export type GateWorld = Awaited<ReturnType<typeof gateWorld>>;

async function startGated(world: World, homes: string, options: GatedOptions): Promise<Gated> {
  const home = mkdtempSync(join(homes, 'h'));
  const workspace = join(home, 'workspace');
  const behave = (manners: Partial<Manners>): void =>
    writeFileSync(join(home, '.outlast-scripted/manners.json'), JSON.stringify(manners));
  for (const name of ['workspace', '.outlast-scripted']) mkdirSync(join(home, name));
  behave(options.manners ?? {});
  writeSettings(workspace, options);
  const session = await world.client.start({
    agent: 'scripted',
    cwd: workspace,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    ...startOptions(options),
  });
  return { ...gatedAgent(world, session, workspace), behave };
}

/** The options in the format of the client, for any agent. */
export function startOptions({
  steps,
  live = false,
  mode = 'gate',
  allow = [],
  deny = [],
  policy,
  folder,
}: GatedOptions) {
  return {
    drive: live ? ('live' as const) : ('turns' as const),
    ...(live ? { terminal: 'pty' as const } : {}),
    prompt: story(...steps),
    gate: { mode, allow: [...allow], deny: [...deny] },
    trust: folder !== undefined,
    graceMs: 500,
    policy: { backoff: { msMin: 50, msMax: 500 }, ...policy },
  };
}

/** Writes the settings of a workspace. */
export function writeSettings(workspace: string, { folder }: GatedOptions): void {
  if (folder === undefined) return;
  mkdirSync(join(workspace, '.claude'));
  writeFileSync(join(workspace, '.claude/settings.json'), JSON.stringify(folder));
}

/** An agent behind a gate, scripted or real, from its session. */
export function gatedAgent(world: World, session: Session, workspace: string): Omit<Gated, 'behave'> {
  const made = (): string[] => read(join(workspace, 'made')).split('\n').filter(Boolean);
  const events = async (...types: string[]): Promise<EventLine[]> => {
    const all: EventLine[] = [];
    for await (const event of world.client.events({ session: session.id, ...(types.length > 0 && { types }) }))
      all.push(event);
    return all;
  };
  const untilAsked = (word: string): Promise<ApprovalView> =>
    eventually(
      async () => {
        const open = await world.client.approvals.list({ session: session.id });
        return open.find(({ input }) => JSON.stringify(input).includes(commandOf(word)));
      },
      { msMax: 45_000, what: `a question about ${word}` },
    );
  const untilTurnEnds = async (): Promise<string> => {
    await eventually(async () => ['idle', 'ended'].includes((await session.show()).session.phase), {
      msMax: 45_000,
      what: 'the end of the turn',
    });
    const { transcript } = (await session.show()).session;
    return transcript === null ? '' : [transcript, ...subagentTranscripts(transcript)].map(read).join('\n');
  };
  return {
    session,
    workspace,
    made,
    events,
    untilAsked,
    untilTurnEnds,
    unallowed: async () => wordsWithoutRow(made(), await events()),
  };
}

/** The transcripts of sub-agents. */
function subagentTranscripts(transcript: string): string[] {
  const folder = transcript.replace(/\.jsonl$/, '');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));
}

/** The hooks in the arguments of an agent's process. */
export async function hooksOf({ session }: Pick<Gated, 'session'>): Promise<GateHooks> {
  const words = await eventually(async () => {
    const { pid } = (await session.show()).session;
    return pid !== null && read(`/proc/${pid}/cmdline`).split('\0').includes('--settings')
      ? read(`/proc/${pid}/cmdline`).split('\0')
      : null;
  });
  const { hooks } = JSON.parse(words[words.indexOf('--settings') + 1] ?? '');
  const command = (event: string): string => hooks[event][0].hooks[0].command;
  return { asks: command('PreToolUse'), confirms: command('PermissionRequest') };
}

/** Runs a hook as an agent does: in a shell, with the payload on its standard input. */
export function runHook(command: string, payload: object): Promise<string> {
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve) => child.once('close', () => resolve(stdout)));
}

/** The payload of a hook before a call, and of the one that asks for permission. */
export function payloadOf(command: string, call: string | null): object {
  const event = call === null ? 'PermissionRequest' : 'PreToolUse';
  const tool = { tool_name: 'Bash', tool_input: { command }, ...(call === null ? {} : { tool_use_id: call }) };
  return { hook_event_name: event, session_id: 'c1', transcript_path: '/t', cwd: '/w', ...tool };
}

/** The files in the spools of a session, with full paths. */
export function spooled(world: World, { id }: Session): string[] {
  const runs = join(world.state, 'sessions', id, 'runs');
  return readdirSync(runs).flatMap((run) => {
    try {
      return readdirSync(join(runs, run, 'spool')).map((name) => join(runs, run, 'spool', name));
    } catch {
      return [];
    }
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
