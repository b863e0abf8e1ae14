import { runtimeFolder } from '../../client/bring.ts';
import type { Argv } from './plan.ts';

/** How a command ended, and its output. */
export interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MS_MAX = 90_000;

/** Runs a system command to its end and captures its output. */
export function runQuietly(
  [program, ...words]: Argv,
  env: Readonly<Record<string, string | undefined>>,
  input = '',
): Said {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { encoding: 'utf8', input, timeout: MS_MAX, killSignal: 'SIGKILL' } as const;
  const ran = spawnSync(program, words, { ...options, env: { ...env, ...runtimeFolder(env), LC_ALL: 'C' } });
  return { status: ran.status ?? 127, stdout: ran.stdout ?? '', stderr: ran.error?.message ?? ran.stderr ?? '' };
}
