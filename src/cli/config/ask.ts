import { type ErrorCode, OutlastError } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import type { ConfigState } from '../../present/config-state.ts';
import type { Context } from '../base/command.ts';
import { ownProgram } from '../base/own-program.ts';

// The command line knows no keys: the program of the daemon does, and answers also when the daemon cannot start.

/** One setting, and where it comes from. */
export interface Value {
  readonly key: string;
  readonly value: unknown;
  readonly from: string;
  readonly variable: string | null;
  readonly applies: string;
}

/** Settings in use, or as the next daemon would read them. */
export interface Shown {
  readonly file: string;
  readonly keys: readonly Value[];
  /** How they differ from the file; null: no daemon runs. */
  readonly state: ConfigState | null;
}

/** A mistake in the config file. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly key: string;
  readonly says: string;
}

/** The result of a check. */
export interface Checked {
  readonly file: string;
  readonly exists: boolean;
  readonly mistakes: readonly Mistake[];
  readonly variables: readonly string[];
}

/** The result of a change of the file. */
export interface Changed {
  readonly file: string;
  readonly key?: string;
  readonly changed: boolean;
  readonly value?: unknown;
  /** Mistakes that were there before. */
  readonly mistakes: readonly Mistake[];
  readonly applies?: string | null;
  /** The variable that wins over the file. */
  readonly variable?: string | null;
}

/** The settings: of the daemon if one runs, else of the next one. */
export async function readConfig({ connect, env }: Pick<Context, 'connect' | 'env'>, key: string): Promise<Shown> {
  const used = await unlessAway(connect({ start: false }).config({ key }));
  if (used === null) return { ...ask<Omit<Shown, 'state'>>(env, ['get', key]), state: null };
  const { keys, ...state } = used;
  return { file: state.file, keys, state };
}

/** Checks the config file, or another one. */
export function checkedFile(env: Context['env'], file?: string): Checked {
  return ask(env, ['check', ...(file === undefined ? [] : [path.resolve(file)])]);
}

/** Changes one key of the file. */
export function setKey(env: Context['env'], key: string, word: string): Changed {
  return ask(env, ['set', key, word]);
}

/** Removes one key from the file. */
export function unsetKey(env: Context['env'], key: string): Changed {
  return ask(env, ['unset', key]);
}

/** Replaces the text of the file, unless somebody else changed it meanwhile. */
export function replaceText(env: Context['env'], before: string | null, after: string): Changed {
  return ask(env, ['replace'], JSON.stringify({ before, after }));
}

/** The JSON Schema of the file. */
export function configSchema(env: Context['env']): object {
  return ask(env, ['schema']);
}

/** The path of the config file, as the daemon computes it. */
export function configPath(env: Context['env']): string {
  const home = env.HOME || process.getBuiltinModule('node:os').homedir();
  const { XDG_CONFIG_HOME: own } = env;
  const folder = own && path.isAbsolute(own) ? own : path.join(home, '.config');
  return env.OUTLAST_CONFIG || path.join(folder, 'outlast', 'config.json');
}

/** A value as people write it. */
export function shownText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Null when no daemon answers. */
export async function unlessAway<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'daemon_unreachable') return null;
    throw error;
  }
}

function ask<T>(env: Context['env'], words: readonly string[], input?: string): T {
  const { status, stdout, stderr } = ownProgram(env, ['config', ...words], input);
  const said = answerIn(stdout);
  if (status === 0 && said !== null) return said as T;
  const { code, message } = said?.error ?? {
    code: 'internal' as const,
    message: stderr.replace(/^outlast: /, '').trim(),
  };
  throw new OutlastError(code, message);
}

function answerIn(json: string): { error?: { code: ErrorCode; message: string } } | null {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
