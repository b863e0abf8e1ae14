import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownAgent } from '../../agent/known.ts';
import type { Agent, CallerProcess } from '../../agent/seam/agent.ts';
import type { Hooks } from '../../agent/seam/hooks.ts';
import type { CallOutput } from '../../api/contract.ts';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/files.ts';
import { AGENT } from '../../core/policy.ts';
import type { ConversationId, Spec } from '../../core/session.ts';
import { droppedIn } from '../../terminal/dropped.ts';
import { hookCommand } from '../../terminal/hook-command.ts';
import { writeLaunchFiles } from '../../terminal/launch-files.ts';
import { ENVIRONMENT } from '../config/config.ts';
import { findProgram, isOlder } from './agent-version.ts';
import { settingsRefusals } from './settings-refusals.ts';

type Check = CallOutput<'daemon.doctor'>['checks'][number];

interface HookProbeParts {
  readonly state: string;
  readonly clock: Clock;
  readonly hookProgram: string;
  /** The PATH of the caller. */
  readonly path: string;
}

/** An agent reports its start within this time, also on a slow machine. */
const BEGIN_MS_MAX = 30_000;
const LOOK_MS = 50;

/** Is the agent installed and known, and do its hooks reach us? It is run once, without a network. */
export async function agentCheck(parts: HookProbeParts, agent: KnownAgent): Promise<Check> {
  const found = await programCheck(parts, agent);
  if (!found.isUsable) return found.check;
  const { name, detail } = found.check;
  if (agent.hooks === undefined) return found.check;
  if (await hookProbe(parts, agent, agent.hooks)) return { name, ok: true, detail: `${detail}, its hooks work` };
  const hint = 'Look for settings that disable hooks (managed settings): without hooks, prompts are never confirmed.';
  return { name, ok: false, detail: `${detail}, but its hooks do not work`, hint };
}

/** Is the agent installed and known? Needs no daemon. */
export async function programCheck(
  { clock, path }: Pick<HookProbeParts, 'clock' | 'path'>,
  agent: KnownAgent,
): Promise<{ readonly check: Check; readonly isUsable: boolean }> {
  const { name, program, wrong, configured } = agent;
  const unusable = (check: Omit<Check, 'name'>) => ({ check: { name, ...check }, isUsable: false });
  if (wrong !== undefined) return unusable({ ok: false, detail: wrong, hint: HINT });
  const found = await findProgram(program, { clock, path });
  if (found === null) {
    const detail = `not on PATH; sessions of ${name} do not work, everything else does. ${program.install}`;
    return unusable({ ok: true, detail });
  }
  const { path: at, version } = found;
  if (version === null && configured !== undefined) return { check: { name, ok: true, detail: at }, isUsable: true };
  if (version === null)
    return unusable({ ok: false, detail: `${at} does not report its version`, hint: program.install });
  if (isOlder(version, program.oldest)) {
    const hint = `${program.oldest} or newer is needed. ${program.install}`;
    return unusable({ ok: false, detail: `${at} ${version} is too old`, hint });
  }
  // A user who does not want it driven by Outlast has nothing to repair.
  const [why] = settingsRefusals(agent, HERE);
  const unless = `, unless ${program.environment.home} names another folder`;
  if (why !== undefined) return unusable({ ok: true, detail: `${at} ${version}; ${why}${unless}` });
  return { check: { name, ok: true, detail: `${at} ${version}` }, isUsable: true };
}

/** The daemon does not have the variables of a caller that move the settings of an agent. */
const HERE = ENVIRONMENT as Readonly<Record<string, string>>;
const HINT =
  'Run `outlast config check`, correct the entry, then `outlast daemon restart`; see docs/guides/any-cli.md.';

async function hookProbe(parts: HookProbeParts, agent: KnownAgent, hooks: Hooks): Promise<boolean> {
  const folder = join(parts.state, `hook-probe.${process.pid}.${agent.name}`);
  const inside = (name: string): string => join(folder, name);
  const place = { spool: inside('spool'), reports: inside('reports') };
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  for (const name of ['home', 'workspace', 'spool', 'news']) mkdirSync(inside(name));
  writeFileSync(inside('prompt'), 'Outlast asks whether your hooks work. Nobody will answer you.');
  const launch = agent.launch(hookProbeSpec(agent, inside('workspace')), callerProcess(parts, agent, inside('home')), {
    how: 'launch',
    conversation: null,
    origin: null,
    promptPath: inside('prompt'),
    folder,
    files: inside('files'),
    hook: hookCommand({ program: parts.hookProgram, ...place, name: 'hook-probe' }),
    tell: null,
    ask: null,
  });
  writeLaunchFiles(inside('files'), launch);
  const [program, ...args] = launch.argv;
  const input = openSync(inside('prompt'), 'r');
  // A process group of its own, so that everything it starts ends with it.
  const child = spawn(program, args, {
    cwd: launch.cwd,
    env: launch.env,
    stdio: [input, 'ignore', 'ignore'],
    detached: true,
  });
  closeSync(input);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const ended = new Promise<void>((done) => {
    child.once('exit', () => done());
    child.once('error', () => done());
  });
  try {
    return await heardIn(parts.clock, inside('spool'), hooks, isRunning);
  } finally {
    // The pid of one that has ended may be in use by another process.
    if (child.pid !== undefined && isRunning()) process.kill(-child.pid, 'SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
  }
}

async function heardIn(clock: Clock, spool: string, hooks: Hooks, isRunning: () => boolean): Promise<boolean> {
  const deadlineMs = clock.steadyMs() + BEGIN_MS_MAX;
  for (;;) {
    const runs = isRunning();
    const reports = droppedIn(spool).flatMap(({ payload }) =>
      hooks.read(JSON.parse(readFileSync(payload, 'utf8')), 1, clock.wallMs()),
    );
    if (reports.some(({ type }) => type === 'hook.prompted')) return true;
    if (!runs || clock.steadyMs() > deadlineMs) return false;
    await clock.sleep(LOOK_MS);
  }
}

function callerProcess(parts: HookProbeParts, { program }: KnownAgent, home: string): CallerProcess {
  return { env: { PATH: parts.path, HOME: home, ...program.alone(home) }, umask: 0o077 };
}

/** A session for the probe only. */
export function hookProbeSpec(agent: Agent, workspace: string): Spec {
  const id = randomUUID() as ConversationId;
  const wants = {
    forkOf: null,
    model: null,
    args: [],
    envNames: [],
    trusted: false,
    after: [],
    screen: 'pty',
  } as const;
  return {
    name: null,
    agent: agent.name,
    drive: 'turns',
    terminal: 'pipe',
    workspace,
    argv: [],
    size: { columns: 80, rows: 24 },
    stdin: 'open',
    split: true,
    background: true,
    notify: 'never',
    keepOpen: false,
    conversation: { id, ...wants },
    policy: AGENT,
  };
}
