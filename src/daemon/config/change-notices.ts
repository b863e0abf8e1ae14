import { chmodSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, OutlastError } from '../../base/errors.ts';
import { makeFolder, writeDurably } from '../../base/files.ts';
import { causeText } from '../../base/system-errors.ts';
import { ENVIRONMENT, readConfig } from './config.ts';
import type { NoticeConfig } from './schema.ts';
import { changedText } from './text.ts';

/** A notice to add, as in the config file. */
export interface NewNotice {
  readonly notice: Readonly<Record<string, unknown>>;
  /** Stored in a file of its own, which the notice then names. */
  readonly secret?: string | undefined;
  readonly replace: boolean;
}

/** All notices of the config after a change of one. */
export interface Changed {
  readonly name: string;
  readonly notices: readonly NoticeConfig[];
  /** The file of its secret that was written, or deleted. */
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
 * Adds a notice to a config file and keeps everything else that is in it, with its spacing. The whole file is checked
 * before anything is written. It is replaced at once, so that a reader sees the old one or the new one.
 */
export function addNotice(path: string, { notice, secret, replace }: NewNotice): Changed {
  const name = typeof notice.name === 'string' ? notice.name : '';
  const file = resolved(path);
  const { text, values: before } = readFile(file);
  const all = noticesIn(before);
  const at = all.findIndex((each) => each?.name === name);
  if (at >= 0 && !replace)
    throw new OutlastError('input_invalid', `there is a notice "${name}" already; pass --replace to replace it`);
  const secretFile = secret === undefined ? null : join(dirname(path), 'notices', `${name}.secret`);
  const made = secretFile === null ? notice : withSecret(notice, secretFile);
  const after = { ...before, notices: at >= 0 ? all.with(at, made) : [...all, made] };
  const { notices } = checked(path, after);
  if (secretFile !== null && secret !== undefined) {
    makeFolder(dirname(secretFile));
    writeDurably(secretFile, `${secret.trim()}\n`);
  }
  const place = Array.isArray(before.notices) ? ['notices', String(at >= 0 ? at : all.length)] : ['notices'];
  write(file, changedText(text, place, place.length === 1 ? [made] : made));
  return { name, notices, secretFile };
}

/** Removes a notice from a config file, and the secret that was stored for it. A file of the user's own stays. */
export function removeNotice(path: string, name: string): Changed {
  const file = resolved(path);
  const { text, values: before } = readFile(file);
  const all = noticesIn(before);
  const at = all.findIndex((each) => each?.name === name);
  if (at < 0) throw new OutlastError('input_invalid', `the config has no notice "${name}"; ${knownText(all)}`);
  const rest = all.toSpliced(at, 1);
  const { notices } = checked(path, { ...before, notices: rest });
  write(file, changedText(text, rest.length === 0 ? ['notices'] : ['notices', String(at)], undefined));
  const own = join(dirname(path), 'notices', `${name}.secret`);
  // Another notice may name it too.
  const isOwn = secretsOf(all[at]).includes(own) && !rest.flatMap(secretsOf).includes(own);
  if (isOwn) rmSync(own, { force: true });
  return { name, notices, secretFile: isOwn ? own : null };
}

type RawNotice = Readonly<Record<string, unknown>> | null;

function noticesIn({ notices }: Record<string, unknown>): readonly RawNotice[] {
  return Array.isArray(notices) ? notices : [];
}

function knownText(all: readonly RawNotice[]): string {
  const names = all.map((each) => each?.name).filter((name) => typeof name === 'string');
  return names.length === 0 ? 'it has none' : `it has: ${names.join(', ')}`;
}

/** The files that a notice reads a secret from. */
function secretsOf(notice: RawNotice | undefined): unknown[] {
  return Object.entries(SECRET_KEYS).map(([kind, key]) => (notice?.[kind] as RawNotice)?.[key]);
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

/** The text of a config file and its values. One that is not there or empty has none. */
function readFile(path: string): { readonly text: string; readonly values: Record<string, unknown> } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { text: '{}\n', values: {} };
    throw unusable(path, `cannot be read: ${causeText(error)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(path, 'is not JSON; correct it first');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable(path, 'is not a JSON object');
  return { text, values: value as Record<string, unknown> };
}

/** The settings of the file as they would be read. Variables are left out: they have no notices. */
function checked(path: string, values: Record<string, unknown>): Pick<ReturnType<typeof readConfig>, 'notices'> {
  return readConfig({ HOME: ENVIRONMENT.HOME }, {}, { path, values });
}

function write(path: string, text: string): void {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  try {
    makeFolder(dirname(path));
    writeDurably(path, text.endsWith('\n') ? text : `${text}\n`);
    chmodSync(path, mode);
  } catch (error) {
    throw unusable(path, `cannot be written: ${causeText(error)}`);
  }
}

function unusable(path: string, why: string): OutlastError {
  return new OutlastError('config_invalid', `config file ${path}: ${why}`);
}
