import { stateFolder } from '../../client/index.ts';
import { daemonEnvironment, daemonProgram } from '../../client/start-daemon.ts';
import type { Context } from './command.ts';

/** Runs the daemon program in a process of its own: the daemon may be what does not work. */
export function ownProgram(env: Context['env'], words: readonly string[], input?: string) {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { env: daemonEnvironment(env, stateFolder(env)), encoding: 'utf8', maxBuffer: BYTES_MAX } as const;
  return spawnSync(process.execPath, [daemonProgram(env), ...words], {
    ...options,
    ...(input !== undefined && { input }),
  });
}

const BYTES_MAX = 64 * 1024 ** 2;
