import { OutlastError } from '../base/errors.ts';
import { makeFolder } from '../base/files.ts';
import { LIMITS } from '../base/limits.ts';
import { causeText } from '../base/system-errors.ts';
import { fs, path } from './node.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The state folder according to the environment; the daemon computes the same one. */
export function stateFolder(env: Environment): string {
  if (env.OUTLAST_STATE) return path.resolve(env.OUTLAST_STATE);
  if (env.XDG_STATE_HOME) return path.resolve(env.XDG_STATE_HOME, 'outlast');
  const home = env.HOME || process.getBuiltinModule('node:os').homedir();
  return path.join(home, '.local', 'state', 'outlast');
}

/** The daemon's socket in a state folder. Refuses a path that the kernel would truncate. */
export function socketPath(state: string): string {
  const socket = path.join(state, 'daemon.sock');
  if (Buffer.byteLength(socket) <= LIMITS.socketPathBytesMax) return socket;
  const bytesMax = LIMITS.socketPathBytesMax;
  const message = `the socket path ${socket} is longer than ${bytesMax} bytes: use a shorter state folder`;
  throw new OutlastError('state_unusable', message);
}

/** Makes sure that the state folder exists, is ours and is closed to others. */
export function prepareStateFolder(state: string): void {
  try {
    makeFolder(state);
    const found = fs.statSync(state);
    if (!found.isDirectory()) throw new OutlastError('state_unusable', `the state folder ${state} is not a folder`);
    if (found.uid !== process.getuid?.()) {
      throw new OutlastError('state_unusable', `the state folder ${state} belongs to user ${found.uid}, not to you`);
    }
    if ((found.mode & 0o077) !== 0) fs.chmodSync(state, 0o700);
  } catch (error) {
    if (error instanceof OutlastError) throw error;
    throw new OutlastError('state_unusable', `cannot use the state folder ${state}: ${causeText(error)}`, {
      cause: error,
    });
  }
}
