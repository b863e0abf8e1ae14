import { realClock } from '../base/clock.ts';
import { callerProof } from './caller.ts';
import { Outlast } from './client.ts';
import { SocketTransport } from './socket.ts';
import { socketPath, stateFolder } from './state.ts';

/** Which daemon to talk to, and how. */
export interface ConnectOptions {
  /** The state folder; else as OUTLAST_STATE and XDG_STATE_HOME say. */
  readonly state?: string;
  /** May the daemon be started when it does not run? Default: yes. */
  readonly start?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A client of the daemon. It connects with the first call, and starts the daemon if it may. */
export function connect(options: ConnectOptions = {}): Outlast {
  const env = options.env ?? process.env;
  const state = options.state ?? stateFolder(env);
  const clock = realClock();
  const start = async (signal?: AbortSignal): Promise<void> => {
    const { startDaemon } = await import('./start-daemon.ts');
    await startDaemon({ state, env, clock, signal });
  };
  const transport = new SocketTransport({
    path: socketPath(state),
    clock,
    start: options.start === false ? null : start,
  });
  const own = () => ({ cwd: process.cwd(), env: callerEnvironment(env), umask: process.umask() });
  return new Outlast(transport, own, clock, () => callerProof(env));
}

/** The environment a command inherits from its caller: everything but what is ours. */
export function callerEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !name.startsWith('OUTLAST_')) kept[name] = value;
  }
  return kept;
}
