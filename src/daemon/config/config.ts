import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { onPath } from '../../base/on-path.ts';
import { causeText } from '../../base/system-errors.ts';
import { type Config, type ConfigInput, configSchema } from './schema.ts';
import { knownAt } from './shape.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of the daemon. No other code in it reads process.env. */
export const ENVIRONMENT: Env = process.env;

/** The daemon's environment, as passed to commands. */
export function ownEnvironment(env: Env): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('OUTLAST_'));
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** The content of a config file that is not written yet. */
export interface FileContent {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where the value of a key comes from. */
export type Origin = 'default' | 'file' | 'variable' | 'flag';

/** The settings of one reading, and where each comes from. */
export interface Settings {
  readonly config: Config;
  /** The path of the config file, whether or not it exists. */
  readonly file: string;
  origin(path: readonly string[]): Origin;
}

/** Reads the settings: defaults, then the file, then OUTLAST_* variables, then flags. */
export function readConfig(env: Env = ENVIRONMENT, flags: ConfigInput = {}, content?: FileContent): Config {
  return readSettings(env, flags, content).config;
}

/** Reads the settings, and where each comes from. */
export function readSettings(env: Env = ENVIRONMENT, flags: ConfigInput = {}, content?: FileContent): Settings {
  const file = content?.path ?? configFile(env);
  const fileValues = content === undefined ? fileLayer(env) : checkedLayer(`config file ${file}`, content.values);
  const layers = [
    { source: `config file ${file}`, origin: 'file', values: fileValues },
    { source: 'environment', origin: 'variable', values: envLayer(env) },
    { source: 'flags', origin: 'flag', values: flags },
  ] as const;
  const defaults = defaultLayer(env);
  let merged: Layer = defaults;
  for (const { source, values } of layers) {
    if (Object.keys(values).length === 0) continue;
    // Each layer is checked by itself first, so that the message can name the source of a wrong value.
    parse(source, merge(defaults, values));
    merged = merge(merged, values);
  }
  return {
    config: freeze(withHome(parse('config', merged), homeOf(env))),
    file,
    origin: (path) => {
      const layer = layers.findLast(({ values }) => valueAt(values, path) !== undefined);
      // Every daemon gets OUTLAST_STATE from the command that starts it, also when it is only the default.
      const isTold = layer?.origin === 'variable' && path[0] === 'state' && env.OUTLAST_STATE === defaults.state;
      return layer === undefined || isTold ? 'default' : layer.origin;
    },
  };
}

/** The problems of the variables, each with the name of the variable; none: the next daemon accepts them. */
export function variableProblems(env: Env): readonly string[] {
  const { success, error } = configSchema.safeParse(merge(defaultLayer(env), envLayer(env)));
  return success ? [] : error.issues.map((issue) => faultText('environment', issue));
}

/** The settings of a file as the schema checks them. */
export function withDefaults(values: Layer, env: Env): Layer {
  return merge(defaultLayer(env), values);
}

function defaultLayer(env: Env): Layer {
  return { state: stateFolder({ ...env, OUTLAST_STATE: undefined }) };
}

/** The value at a place; undefined: there is none. */
export function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Layer)[key] : undefined),
    values,
  );
}

/** The state folder. */
export function stateFolder(env: Env): string {
  return env.OUTLAST_STATE || join(xdg(env, 'XDG_STATE_HOME', '.local/state'), 'outlast');
}

/** The default path of the config file. */
export function configFile(env: Env): string {
  return env.OUTLAST_CONFIG || join(xdg(env, 'XDG_CONFIG_HOME', '.config'), 'outlast', 'config.json');
}

/** The shell that runs command lines for the user of this environment. */
export function shellOf(env: Env): string {
  const own = env.SHELL?.trim() ?? '';
  const name = basename(own);
  // Accounts of daemons have one of these as their shell.
  if (own === '' || name === 'nologin' || name === 'false') return onPath('sh', env.PATH ?? '') ?? '/bin/sh';
  // Command lines are written for sh; fish reads them differently.
  return name === 'fish' ? (onPath('bash', env.PATH ?? '') ?? onPath('sh', env.PATH ?? '') ?? own) : own;
}

/** The path of a program, in the caller's PATH or in ours. */
export function findOnPath(name: string, path = ''): string | null {
  if (isAbsolute(name)) return name;
  return onPath(name, [path, ENVIRONMENT.PATH ?? ''].filter(Boolean).join(':'));
}

/** The name of the variable that sets a key: `retention.everyMs` is OUTLAST_RETENTION_EVERY_MS. */
export function variableOf(path: readonly string[]): string {
  const words = path.map((key) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
  return `OUTLAST_${words.join('_')}`;
}

/** Settings of one source, unchecked. */
export type Layer = Record<string, unknown>;

function fileLayer(env: Env): Layer {
  const path = configFile(env);
  const source = `config file ${path}`;
  const refuse = (why: string, cause?: unknown): never => {
    throw new OutlastError('config_invalid', `${source}: ${why}`, { cause });
  };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !env.OUTLAST_CONFIG) return {};
    return refuse(`cannot be read: ${causeText(error)}`, error);
  }
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    return refuse(`is not JSON: ${error instanceof Error ? error.message : ''}`, error);
  }
  return checkedLayer(source, values);
}

function checkedLayer(source: string, values: unknown): Layer {
  if (!isLayer(values)) throw new OutlastError('config_invalid', `${source}: must hold one JSON object`);
  // The command line finds the daemon by its state folder without reading this file.
  if ('state' in values)
    throw new OutlastError('config_invalid', `${source}: key "state" is not allowed here; set OUTLAST_STATE instead`);
  // For editors only.
  const { $schema: _, ...settings } = values;
  return settings;
}

function envLayer(env: Env): Layer {
  const layer: Layer = {};
  for (const [key, schema] of Object.entries(configSchema.shape)) setFromEnv(layer, env, [key], schema);
  return layer;
}

function setFromEnv(layer: Layer, env: Env, path: readonly string[], schema: z.ZodType): void {
  const bare = unwrap(schema);
  const key = path.at(-1) ?? '';
  if (bare instanceof z.ZodObject) {
    const inner: Layer = {};
    for (const [name, part] of Object.entries(bare.shape)) setFromEnv(inner, env, [...path, name], part);
    if (Object.keys(inner).length > 0) layer[key] = inner;
    return;
  }
  const word = env[variableOf(path)];
  if (word === undefined || word === '' || bare instanceof z.ZodArray) return;
  layer[key] = bare instanceof z.ZodNumber && /^\d+(\.\d+)?$/.test(word) ? Number(word) : word;
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  const wrapped = schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return wrapped ? unwrap(schema.unwrap()) : schema;
}

function parse(source: string, values: Layer): z.output<typeof configSchema> {
  const result = configSchema.safeParse(values);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => faultText(source, issue));
  throw new OutlastError('config_invalid', `${source}: ${faults.join('; ')}`);
}

function faultText(source: string, issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String);
  const at = source === 'environment' ? variableOf(path) : `key "${path.join('.')}"`;
  if (issue.code !== 'unrecognized_keys') return `${at}: ${issue.message}`;
  const unknown = issue.keys.map((key) => `"${[...path, key].join('.')}"`).join(', ');
  return `unknown key ${unknown}; known here: ${knownAt(path).join(', ')}`;
}

function merge(under: Layer, over: Layer): Layer {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value !== undefined) merged[key] = isLayer(value) && isLayer(below) ? merge(below, value) : value;
  }
  return merged;
}

/** Is it an object with settings in it? */
export function isLayer(value: unknown): value is Layer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withHome<T>(value: T, home: string): T {
  if (!isLayer(value)) return value;
  const files = new Set(['state', 'secretFile', 'tokenFile', 'urlFile', 'file', 'pathPrepend', 'folders']);
  const walk = (node: unknown, key = ''): unknown => {
    if (typeof node === 'string') return files.has(key) && node.startsWith('~/') ? join(home, node.slice(2)) : node;
    if (Array.isArray(node)) return node.map((part) => walk(part, key));
    return isLayer(node)
      ? Object.fromEntries(Object.entries(node).map(([name, part]) => [name, walk(part, name)]))
      : node;
  };
  return walk(value) as T;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) freeze(part);
  return value;
}

function xdg(env: Env, name: string, fallback: string): string {
  const folder = env[name];
  // The XDG specification says that a relative path is to be ignored.
  return folder && isAbsolute(folder) ? folder : join(homeOf(env), fallback);
}

function homeOf(env: Env): string {
  return env.HOME || homedir();
}
