import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { bringDaemon } from './bring.ts';
import { fs, path } from './node.ts';
import { prepareStateFolder, socketPath } from './state.ts';
import { dial } from './wire.ts';

export interface DaemonStart {
  readonly state: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

const START_MS_MAX = 10_000;
const GONE_MS_MAX = 3_000;
const BRING_AGAIN_MS = 2_000;
const PAUSE_MS = 15;
const LOG_LINES = 10;
const LOG_BYTES = 16 * 1024;

// The daemon serves many callers: it takes from the first one only what every one of them would give it.
const KEPT_NAMES = new Set([
  'HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TMPDIR',
  'DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS',
  'CLAUDE_CONFIG_DIR', 'OPENCLAW_STATE_DIR',
]); // biome-ignore format: one glance is better than a dozen lines

// Ours, but of this one caller: the run it is in, and which program it was told to start.
const NOT_KEPT = new Set(['OUTLAST_RUN', 'OUTLAST_DAEMON']);

// sh leaves as soon as the daemon is on its way, so that the daemon is nobody's descendant: a daemon started from
// inside a run must survive the stop of that run. Every word comes as an argument; nothing is parsed.
// What a script holds open besides its stdio, a lock perhaps, is not for a daemon to hold on to.
const CLOSE = [3, 4, 5, 6, 7, 8, 9].map((fd) => `${fd}>&-`).join(' ');
const SCRIPT = `umask 077; log=$1; shift; "$@" >>"$log" 2>&1 </dev/null ${CLOSE} & echo $!`;

/** Starts a daemon in the background and waits until one answers; of several started at once, one wins. */
export async function startDaemon(start: DaemonStart): Promise<void> {
  const { state, clock } = start;
  prepareStateFolder(state);
  const log = path.join(state, 'daemon.log');
  const logBytes = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  // Brought by a service manager it has a pid that we do not know; it is there until the time is up.
  const isBrought = await bringDaemon(state, start.env);
  const pid = isBrought ? process.pid : await spawnDaemon(start, log);
  let deadlineMs = clock.steadyMs() + START_MS_MAX;
  let againMs = clock.steadyMs() + BRING_AGAIN_MS;
  while (!(await isAnswering(state))) {
    start.signal?.throwIfAborted();
    // To a manager that saw the one before still ending, there was nothing to start.
    if (isBrought && clock.steadyMs() >= againMs) {
      await bringDaemon(state, start.env);
      againMs = clock.steadyMs() + BRING_AGAIN_MS;
    }
    // Ours may have left because another one was faster: that one gets a moment to come up.
    if (!isThere(pid)) deadlineMs = Math.min(deadlineMs, clock.steadyMs() + GONE_MS_MAX);
    if (clock.steadyMs() >= deadlineMs) throw notUp(log, logBytes, isThere(pid));
    await clock.sleep(PAUSE_MS, start.signal);
  }
}

/** The program of the daemon: beside this bundle, or in the source tree when this runs from there. */
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
      reject(new OutlastError('daemon_unreachable', `cannot start the daemon: ${cause.message}`, { cause })),
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
    // Where nobody reaps orphans, as in many containers, the dead stay as zombies and still take signals.
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

function notUp(log: string, fromBytes: number, alive: boolean): OutlastError {
  const found = alive ? `it does not answer after ${START_MS_MAX / 1000} s` : 'it ended at once';
  return new OutlastError(
    'daemon_unreachable',
    `started the daemon, but ${found}; ${log} says:\n${lastLines(log, fromBytes)}`,
  );
}

function lastLines(log: string, fromBytes: number): string {
  try {
    const text = fs.readFileSync(log).subarray(fromBytes).subarray(-LOG_BYTES).toString('utf8').trimEnd();
    return text === ''
      ? '  (nothing)'
      : text
          .split('\n')
          .slice(-LOG_LINES)
          .map((line) => `  ${line}`)
          .join('\n');
  } catch {
    return '  (nothing)';
  }
}
