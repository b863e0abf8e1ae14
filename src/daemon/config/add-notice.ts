import { chmodSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { makeFolder, writeDurably } from '../../base/files.ts';
import { causeText } from '../../base/system-errors.ts';
import { ENVIRONMENT, readConfig } from './config.ts';
import type { NoticeConfig } from './schema.ts';

/** A notice to add, as in the config file. */
export interface NewNotice {
  readonly notice: Readonly<Record<string, unknown>>;
  /** Stored in a file of its own, which the notice then names. */
  readonly secret?: string | undefined;
  readonly replace: boolean;
}

/** All notices of the config, with the new one. */
export interface Added {
  readonly name: string;
  readonly notices: readonly NoticeConfig[];
  readonly secretFile: string | null;
}

/** The key that names the file of the secret, by the kind of the notice. */
const SECRET_KEYS: Readonly<Record<string, string>> = {
  webhook: 'secretFile',
  ntfy: 'tokenFile',
  telegram: 'tokenFile',
  slack: 'urlFile',
  discord: 'urlFile',
  teams: 'urlFile',
};

/**
 * Adds a notice to a config file and keeps everything else that is in it. The whole file is checked before anything is
 * written. It is replaced at once, so that a reader sees the old one or the new one.
 */
export function addNotice(path: string, { notice, secret, replace }: NewNotice): Added {
  const name = typeof notice.name === 'string' ? notice.name : '';
  const file = resolved(path);
  const before = readFile(file);
  const all = Array.isArray(before.notices) ? before.notices : [];
  const isThere = all.some((each) => each?.name === name);
  if (isThere && !replace)
    throw new OutlastError('input_invalid', `there is a notice "${name}" already; pass --replace to replace it`);
  const secretFile = secret === undefined ? null : join(dirname(path), 'notices', `${name}.secret`);
  const made = secretFile === null ? notice : withSecret(notice, secretFile);
  const kept = all.map((each) => (each?.name === name ? made : each));
  const after = { ...before, notices: isThere ? kept : [...all, made] };
  const { notices } = checked(path, after);
  if (secretFile !== null && secret !== undefined) {
    makeFolder(dirname(secretFile));
    writeDurably(secretFile, `${secret.trim()}\n`);
  }
  write(file, after);
  return { name, notices, secretFile };
}

function withSecret(notice: NewNotice['notice'], secretFile: string): NewNotice['notice'] {
  const kind = Object.keys(notice).find((key) => Object.hasOwn(SECRET_KEYS, key));
  const route = kind === undefined ? undefined : notice[kind];
  const key = SECRET_KEYS[kind ?? ''];
  if (kind === undefined || key === undefined || typeof route !== 'object')
    throw new OutlastError('input_invalid', 'this kind of notice has no secret');
  return { ...notice, [kind]: { ...route, [key]: secretFile } };
}

/** The file itself: a link, as in a folder of dotfiles, stays one. */
function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path;
    throw unusable(path, `cannot be read: ${causeText(error)}`);
  }
}

function readFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return {};
    throw unusable(path, `cannot be read: ${causeText(error)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, 'is not JSON; correct it first');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable(path, 'is not a JSON object');
  return value as Record<string, unknown>;
}

/** The settings of the file as they would be read. Variables are left out: they have no notices. */
function checked(path: string, values: Record<string, unknown>): Pick<ReturnType<typeof readConfig>, 'notices'> {
  return readConfig({ HOME: ENVIRONMENT.HOME }, {}, { path, values });
}

function write(path: string, values: Record<string, unknown>): void {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  try {
    makeFolder(dirname(path));
    writeDurably(path, `${JSON.stringify(values, null, 2)}\n`);
    chmodSync(path, mode);
  } catch (error) {
    throw unusable(path, `cannot be written: ${causeText(error)}`);
  }
}

function unusable(path: string, why: string): OutlastError {
  return new OutlastError('config_invalid', `config file ${path}: ${why}`);
}
