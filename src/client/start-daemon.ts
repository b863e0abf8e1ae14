import { AGENT_VARIABLES } from '../api/agent-variables.ts';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { ownerOf } from '../base/owner.ts';
import { causeText } from '../base/system-errors.ts';
import { bringDaemon } from './bring.ts';
import { frozenText } from './frozen.ts';
import { fs, path } from './node.ts';
import { prepareStateFolder, socketPath } from './state.ts';
import { dial } from './wire.ts';

export interface DaemonStart {
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Called when it takes long. */
  readonly tell?: ((text: string) => void) | undefined;
}

const START_MS_MAX = 10_000;
/** The daemon that has the lock may have a lot to read, or to shut down. */
const OWNER_MS_MAX = 600_000;
const TELL_MS = 5_000;
const BRING_AGAIN_MS = 2_000;
const SPAWN_AGAIN_MS = 250;
const STARTS_MAX = 20;
const PAUSE_MS = 15;
const LOG_LINES = 10;
const LOG_BYTES = 16 * 1024;

// The daemon serves many callers: it inherits only variables that are the same for all of them.
const KEPT_NAMES = new Set([
  'HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR',
  'DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS',
  ...AGENT_VARIABLES,
]); // biome-ignore format: one glance is better than a dozen lines

// Our own variables that belong to one caller: the run it is in, its shell, and the program it was told to start.
const NOT_KEPT = new Set(['OUTLAST_RUN', 'OUTLAST_SHELL_ID', 'OUTLAST_DAEMON']);

// sh exits as soon as the daemon is started, so that the daemon descends from no caller: a daemon started from inside a
// run must survive the stop of that run. Every word is an argument; nothing is parsed. Descriptors that a script holds
// besides its stdio, maybe a lock, are closed.
const CLOSE = [3, 4, 5, 6, 7, 8, 9].map((fd) => `${fd}>&-`).join(' ');
const SCRIPT = `umask 077; log=$1; shift; "$@" >>"$log" 2>&1 </dev/null ${CLOSE} & echo $!`;

/**
 * Starts a daemon in the background and waits until one answers; of several started at once, one wins. A daemon that
 * has the lock and does not answer is starting or shutting down: it is waited for, and only then the next one is
 * started.
 */
export async function startDaemon(start: DaemonStart): Promise<void> {
  const { state, clock, signal } = start;
  prepareStateFolder(state);
  const log = path.join(state, 'daemon.log');
  let begun: Begun | undefined;
  let deadlineMs = clock.steadyMs() + START_MS_MAX;
  for (let count = 1; !(await isAnswering(state)); await clock.sleep(PAUSE_MS, signal)) {
    signal?.throwIfAborted();
    if (ownerOf(state) !== null) {
      await ownerPast(start);
      deadlineMs = clock.steadyMs() + START_MS_MAX;
      continue;
    }
    begun ??= await begin(start, log);
    const isOver = clock.steadyMs() >= deadlineMs;
    if (begun.isBrought) await bringAgain(start, begun);
    else if (!isThere(begun.pid)) {
      const said = linesSaid(log, begun.logBytes);
      if (isOver || count >= STARTS_MAX || said.some(isComplaint)) throw notUp(log, said, 'it ended at once');
      await clock.sleep(SPAWN_AGAIN_MS, signal);
      begun = undefined;
      count += 1;
      continue;
    }
    if (isOver) throw notUp(log, linesSaid(log, begun.logBytes), `it does not answer after ${START_MS_MAX / 1000} s`);
  }
}

/** A daemon that was killed, or lost the race for the lock, has not said why it cannot run: the next one may work. */
function isComplaint(line: string): boolean {
  return !/^\{"ts":|^outlast: a daemon has .* already$|^ {2}/.test(line);
}

/** A daemon that was started: by us, or by a service manager. */
interface Begun {
  /** Its pid if we started it; the pid of a daemon that a manager started is not known. */
  readonly pid: number;
  readonly isBrought: boolean;
  /** Where its lines begin in the log. */
  readonly logBytes: number;
  againMs: number;
}

async function begin(start: DaemonStart, log: string): Promise<Begun> {
  const logBytes = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const isBrought = await bringDaemon(start.state, start.env);
  const pid = isBrought ? 0 : await spawnDaemon(start, log);
  return { pid, isBrought, logBytes, againMs: start.clock.steadyMs() + BRING_AGAIN_MS };
}

/** A manager that saw the previous daemon still shutting down has started nothing. */
async function bringAgain({ state, env, clock }: DaemonStart, begun: Begun): Promise<void> {
  if (clock.steadyMs() < begun.againMs) return;
  await bringDaemon(state, env);
  begun.againMs = clock.steadyMs() + BRING_AGAIN_MS;
}

/** Waits until the daemon that has the lock answers, or is gone. */
async function ownerPast({ state, clock, signal, tell }: DaemonStart): Promise<void> {
  const sinceMs = clock.steadyMs();
  for (let isTold = false; ; await clock.sleep(PAUSE_MS, signal)) {
    signal?.throwIfAborted();
    const owner = ownerOf(state);
    if (owner === null || (await isAnswering(state))) return;
    const ms = clock.steadyMs() - sinceMs;
    if (owner.isStopped && ms >= TELL_MS) throw new OutlastError('daemon_unreachable', frozenText(owner.pid));
    if (!isTold && ms >= TELL_MS) tell?.(`the daemon (pid ${owner.pid}) is starting or shutting down; waiting for it`);
    isTold ||= ms >= TELL_MS;
    if (ms < OWNER_MS_MAX) continue;
    const why = `has the lock of ${state}, but does not answer after ${OWNER_MS_MAX / 60_000} minutes`;
    throw new OutlastError('daemon_unreachable', `the daemon (pid ${owner.pid}) ${why}`);
  }
}

/** The program of the daemon: beside this bundle, or in the source tree. */
export function daemonProgram(env: DaemonStart['env']): string {
  if (env.OUTLAST_DAEMON) return env.OUTLAST_DAEMON;
  const here = import.meta.dirname;
  const places = ['daemon.js', '../daemon.js', '../daemon/main.ts'].map((place) => path.join(here, place));
  const found = places.find((place) => fs.existsSync(place));
  if (found !== undefined) return found;
  throw new OutlastError(
    'daemon_unreachable',
    `cannot start the daemon: its program is not in ${here}; is the package built?`,
  );
}

/** The environment of the daemon: nothing of the caller's run, and no option that changes how Node works. */
export function daemonEnvironment(env: DaemonStart['env'], state: string): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const isOurs = name.startsWith('OUTLAST_') && !NOT_KEPT.has(name);
    if (value !== undefined && (isOurs || KEPT_NAMES.has(name) || /^(LC|XDG)_/.test(name))) kept[name] = value;
  }
  return { ...kept, OUTLAST_STATE: state };
}

function spawnDaemon(start: DaemonStart, log: string): Promise<number> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const argv = ['-c', SCRIPT, 'sh', log, process.execPath, daemonProgram(start.env)];
  const options = { detached: true, cwd: '/', env: daemonEnvironment(start.env, start.state) };
  return new Promise((resolve, reject) => {
    const sh = spawn('/bin/sh', argv, { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    sh.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('latin1');
    });
    sh.on('error', (cause) =>
      reject(new OutlastError('daemon_unreachable', `cannot start the daemon: ${causeText(cause)}`, { cause })),
    );
    sh.on('close', () => resolve(Number.parseInt(said, 10)));
  });
}

async function isAnswering(state: string): Promise<boolean> {
  try {
    (await dial(socketPath(state))).socket.destroy();
    return true;
  } catch (error) {
    if (error instanceof OutlastError) throw error;
    return false;
  }
}

function isThere(pid: number): boolean {
  try {
    // Where orphans are not reaped, as in many containers, dead processes stay as zombies and still accept signals.
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return process.platform !== 'linux' && pid > 0 && isSignalled(pid);
  }
}

function isSignalled(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function notUp(log: string, said: readonly string[], found: string): OutlastError {
  const words = said.length === 0 ? ['(nothing)'] : said.slice(-LOG_LINES);
  const text = words.map((line) => `  ${line}`).join('\n');
  return new OutlastError('daemon_unreachable', `started the daemon, but ${found}; ${log} says:\n${text}`);
}

function linesSaid(log: string, fromBytes: number): string[] {
  try {
    const text = fs.readFileSync(log).subarray(fromBytes).subarray(-LOG_BYTES).toString('utf8').trimEnd();
    return text === '' ? [] : text.split('\n');
  } catch {
    return [];
  }
}
