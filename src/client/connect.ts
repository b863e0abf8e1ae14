import { realClock } from '../base/clock.ts';
import { ownerOf } from '../base/owner.ts';
import { callerProof } from './caller.ts';
import { Outlast } from './client.ts';
import { SocketTransport } from './socket.ts';
import { socketPath, stateFolder } from './state.ts';

/** Which daemon to talk to, and how. */
export interface ConnectOptions {
  /** The state folder; else as OUTLAST_STATE and XDG_STATE_HOME say. */
  readonly state?: string;
  /** May the daemon be started when it is not running? Default: yes. */
  readonly start?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with messages for a waiting person: the daemon takes long to start, or is stopped. */
  readonly tell?: (text: string) => void;
}

/** A client of the daemon. It connects with the first call, and starts the daemon if it may. */
export function connect(options: ConnectOptions = {}): Outlast {
  const env = options.env ?? process.env;
  const state = options.state ?? stateFolder(env);
  const clock = realClock();
  const start = async (signal?: AbortSignal): Promise<void> => {
    const { startDaemon } = await import('./start-daemon.ts');
    await startDaemon({ state, env, clock, signal, tell: options.tell });
  };
  const transport = new SocketTransport({
    path: socketPath(state),
    clock,
    start: options.start === false ? null : start,
    stopped: () => stoppedPid(state),
    tell: options.tell,
  });
  const own = () => ({
    cwd: process.cwd(),
    env: { ...callerEnvironment(env), ...shellOf(env) },
    umask: process.umask(),
  });
  return new Outlast(transport, own, clock, () => callerProof(env));
}

/** The shell of a person that this process was started from, if it runs the hook of `outlast shell-init`. */
function shellOf({ OUTLAST_SHELL_ID: id }: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return id === undefined ? {} : { OUTLAST_SHELL_ID: id };
}

function stoppedPid(state: string): number | null {
  const owner = ownerOf(state);
  return owner?.isStopped ? owner.pid : null;
}

/** The environment that a command inherits from its caller: everything except our own variables. */
export function callerEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('OUTLAST_')) kept[name] = value;
  }
  return kept;
}
