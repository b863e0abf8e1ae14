import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import type { HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { isId } from '../../base/ids.ts';
import { LIMITS } from '../../base/limits.ts';
import { causeText } from '../../base/system-errors.ts';
import type { Spec } from '../../core/session.ts';
import { unusableNames } from '../../terminal/plan.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import { shellOf } from '../config/config.ts';
import type { Config } from '../config/schema.ts';
import { type AgentStartParts, readAgentStart, type TakeOver } from './agent-start.ts';
import { commandPolicy } from './policy.ts';

type StartInput = HandlerInput<'session.start'>;

export interface Start {
  readonly spec: Spec;
  readonly prompt: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Variables that change which code runs, not what it does. A caller may have them; a request may not set them. */
const FORBIDDEN = new Set(
  'NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONHOME RUBYLIB PERL5LIB BASH_ENV ENV GCONV_PATH IFS SSLKEYLOGFILE PATH'.split(
    ' ',
  ),
);

/** Validates a request to start, and fills in all defaults. */
export function readStart(input: StartInput, parts: AgentStartParts, over: TakeOver | null = null): Start {
  const { config } = parts;
  if (input.name !== undefined && isId(input.name))
    throw invalid(`the name ${input.name} looks like an id; choose another name`);
  checkFolder(input.cwd, input.agent === undefined ? X_OK : R_OK | X_OK);
  const { env, warnings } = environmentOf(input, [...input.pathPrepend, ...config.pathPrepend]);
  if (input.agent !== undefined) {
    const made = readAgentStart(input, env, parts, over);
    return { spec: made.spec, prompt: made.prompt, env, warnings: [...warnings, ...made.warnings] };
  }
  return { spec: commandSpec(input, config), prompt: null, env, warnings };
}

function commandSpec(input: StartInput, config: Config): Spec {
  if (input.images.length > 0) throw invalid('a command takes no images');
  const argv = argvOf(input, config.shell ?? shellOf(input.env));
  const terminal = input.terminal ?? 'pipe';
  if (input.split && terminal !== 'pipe') throw invalid('--split needs a pipe: a terminal has one stream');
  return {
    name: input.name ?? null,
    agent: 'command',
    drive: 'command',
    terminal,
    workspace: input.cwd,
    argv,
    size: { columns: input.columns ?? LIMITS.columns, rows: input.rows ?? LIMITS.rows },
    stdin: input.stdin,
    split: input.split,
    background: input.background,
    notify: input.notify,
    keepOpen: false,
    policy: {
      ...commandPolicy(input.policy),
      runMsMax: input.timeoutMs ?? null,
      quietMsMax: input.silenceMs ?? null,
      graceMs: input.graceMs ?? config.graceMs,
      outputBytesMax: input.outputBytesMax ?? config.outputBytesMax,
    },
  };
}

function argvOf(input: StartInput, shell: string): string[] {
  const argv = input.argv ?? (input.shell === undefined ? [] : [shell, '-c', input.shell]);
  if (input.argv !== undefined && input.shell !== undefined) throw invalid('give argv or shell, not both');
  if (argv.length === 0 || argv[0] === '' || input.shell?.trim() === '') throw invalid('there is no command to run');
  if (argv.some((word) => word.includes('\0')))
    throw invalid('an argument contains a NUL byte, which cannot be passed to a command');
  return argv;
}

const { R_OK, X_OK } = constants;

/** Checks a workspace: a command must be able to enter it, an agent also to read it. */
export function checkFolder(cwd: string, needed: number, access: typeof accessSync = accessSync): void {
  if (!isAbsolute(cwd)) throw new OutlastError('workspace_missing', `the folder "${cwd}" is not an absolute path`);
  try {
    if (!statSync(cwd).isDirectory()) throw new OutlastError('workspace_missing', `${cwd} is not a folder`);
    access(cwd, needed);
  } catch (cause) {
    if (cause instanceof OutlastError) throw cause;
    const what = (needed & R_OK) === 0 ? 'enter' : 'enter and read';
    throw new OutlastError('workspace_missing', `cannot ${what} ${cwd}: ${causeText(cause)}`, { cause });
  }
}

function environmentOf(
  input: StartInput,
  before: readonly string[],
): { env: Record<string, string>; warnings: string[] } {
  for (const name of Object.keys(input.set)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw invalid(`"${name}" is not a name for an environment variable`);
    const upper = name.toUpperCase();
    if (FORBIDDEN.has(upper) || /^(LD_|DYLD_|OUTLAST_)/.test(upper)) {
      throw invalid(`the environment variable ${name} may not be set for a command: it changes which code runs`);
    }
  }
  const own = Object.entries(input.env).filter(([name]) => !name.startsWith('OUTLAST_'));
  const all = withPath({ ...Object.fromEntries(own), ...input.set }, before);
  if (Object.values(all).some((value) => value.includes('\0')))
    throw invalid('an environment variable contains a NUL byte');
  const bytes = Buffer.byteLength(JSON.stringify(all));
  if (bytes > LIMITS.environmentBytesMax) throw invalid(`the environment is too large (${bytes} bytes)`);
  const dropped = unusableNames(all);
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => !dropped.includes(name)));
  return {
    env,
    warnings:
      dropped.length === 0 ? [] : [`not passed on, because shells do not accept these names: ${dropped.join(', ')}`],
  };
}

/** Without a PATH of its own the command would get the system's; that comes after ours then. */
function withPath(env: Record<string, string>, before: readonly string[]): Record<string, string> {
  const wrong = before.find((folder) => !isAbsolute(folder) || folder.includes(delimiter));
  if (wrong !== undefined)
    throw invalid(`"${wrong}" cannot be put before PATH: give a full path without "${delimiter}"`);
  return before.length === 0 ? env : { ...env, PATH: [...before, env.PATH ?? PROGRAM_PATH].join(delimiter) };
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
