import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { onPath } from '../../base/on-path.ts';
import { type Config, type ConfigInput, configSchema } from './schema.ts';

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of the daemon. No other code in it reads process.env. */
export const ENVIRONMENT: Env = process.env;

/** The daemon's environment, as passed to commands. */
export function ownEnvironment(env: Env): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('OUTLAST_'));
  return Object.fromEntries(own.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Reads the settings once: defaults, then the file, then OUTLAST_* variables, then flags. */
export function readConfig(env: Env = ENVIRONMENT, flags: ConfigInput = {}): Config {
  const defaults = { state: stateFolder({ ...env, OUTLAST_STATE: undefined }) };
  let merged: Layer = defaults;
  for (const { source, values } of [
    fileLayer(env),
    { source: 'environment', values: envLayer(env) },
    { source: 'flags', values: flags },
  ]) {
    if (Object.keys(values).length === 0) continue;
    // Each layer is checked by itself first, so that the message can name the source of a wrong value.
    parse(source, merge(defaults, values));
    merged = merge(merged, values);
  }
  return freeze(withHome(parse('config', merged), homeOf(env)));
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

type Layer = Record<string, unknown>;

function fileLayer(env: Env): { source: string; values: Layer } {
  const path = configFile(env);
  const source = `config file ${path}`;
  const refuse = (why: string, cause?: unknown): never => {
    throw new OutlastError('config_invalid', `${source}: ${why}`, { cause });
  };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && !env.OUTLAST_CONFIG) return { source, values: {} };
    return refuse(`cannot be read (${errnoOf(error)})`, error);
  }
  let values: unknown;
  try {
    values = JSON.parse(text);
  } catch (error) {
    return refuse(`is not JSON: ${error instanceof Error ? error.message : ''}`, error);
  }
  if (!isLayer(values)) return refuse('must hold one JSON object');
  // The command line finds the daemon by its state folder without reading this file.
  if ('state' in values) return refuse('key "state" is not allowed here; set OUTLAST_STATE instead');
  return { source, values };
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

function knownAt(path: readonly string[]): readonly string[] {
  let schema: z.core.$ZodType = configSchema;
  for (const key of path) {
    const outer = unwrap(schema);
    if (outer instanceof z.ZodArray) schema = outer.element;
    else if (outer instanceof z.ZodObject) schema = outer.shape[key];
  }
  const bare = unwrap(schema);
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
}

function merge(under: Layer, over: Layer): Layer {
  const merged = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    if (value !== undefined) merged[key] = isLayer(value) && isLayer(below) ? merge(below, value) : value;
  }
  return merged;
}

function isLayer(value: unknown): value is Layer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withHome<T>(value: T, home: string): T {
  if (!isLayer(value)) return value;
  const files = new Set(['state', 'secretFile', 'tokenFile', 'file', 'pathPrepend', 'folders']);
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
