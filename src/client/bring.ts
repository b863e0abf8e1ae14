import { fs, path } from './node.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The file that records how the service manager starts the daemon of this state folder. */
export function serviceFile(state: string): string {
  return path.join(state, 'service.json');
}

/**
 * Lets the service manager start the daemon, if it manages it: a daemon that a command starts directly would not be
 * monitored. False when there is no manager, or it cannot be reached, as is common after `su` and in cron.
 */
export async function bringDaemon(state: string, env: Environment): Promise<boolean> {
  const argv = readBring(state);
  if (argv === null) return false;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const [program = '', ...words] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: 'ignore', env: { ...env, ...runtimeFolder(env) }, timeout: 5_000 });
    child.on('error', () => resolve(false));
    child.on('close', (status) => resolve(status === 0));
  });
}

/** XDG_RUNTIME_DIR, without which the user's systemd is not found. */
export function runtimeFolder(env: Environment): Record<string, string> {
  const folder = `/run/user/${process.getuid?.()}`;
  return env.XDG_RUNTIME_DIR || !fs.existsSync(folder) ? {} : { XDG_RUNTIME_DIR: folder };
}

function readBring(state: string): string[] | null {
  try {
    const { bring } = JSON.parse(fs.readFileSync(serviceFile(state), 'utf8'));
    return Array.isArray(bring) && bring.every((word) => typeof word === 'string') ? bring : null;
  } catch {
    return null;
  }
}
