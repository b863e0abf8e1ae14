import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { makeFolder } from '../../base/files.ts';
import { run } from '../../base/spawn.ts';
import { errnoText } from '../../base/system-errors.ts';
import { ENVIRONMENT } from '../config/config.ts';
import { isSmall } from './small-folder.ts';

/** Where the files are, and the repository of ours that keeps what they were. */
export interface Place {
  /** The folder that is compared: the top of the repository, or the workspace where there is none. */
  readonly root: string;
  readonly folder: string;
}

/** What a git command printed, or why it failed. */
export type Said = { readonly ok: true; readonly out: Buffer } | { readonly ok: false; readonly why: string };

const MISSING = 'git is not installed';
const MS_MAX = 5_000;
const WHY_CHARS_MAX = 200;
/** What a folder without git usually ignores. */
const IGNORED = ['node_modules/', '.venv/', '__pycache__/', '.cache/'];
/** Settings that decide whether a file counts as changed. None of them runs a program. */
const SETTINGS = 'core\\.(autocrlf|eol|filemode|ignorecase|precomposeunicode|symlinks|excludesfile)';

/** What git reads, how much it may print, and whether it compares trees only: then the folder may be gone. */
export interface ShadowOptions {
  readonly input?: Uint8Array;
  readonly bytesMax?: number;
  readonly isWithoutFiles?: true;
}

/**
 * Runs git on a repository of our own, with the files of another folder. It reads the objects of the user's repository
 * and nothing else: no settings, hooks, filters or refs of theirs are used, and nothing is written there.
 */
export async function shadowGit(
  { root, folder }: Place,
  words: readonly string[],
  clock: Clock,
  { input, bytesMax, isWithoutFiles }: ShadowOptions = {},
): Promise<Said> {
  const { PATH = '/usr/bin:/bin' } = ENVIRONMENT;
  const cwd = isWithoutFiles ? folder : root;
  if (!existsSync(cwd)) return { ok: false, why: `the folder ${cwd} is gone` };
  const own = { GIT_DIR: folder, GIT_WORK_TREE: cwd, GIT_INDEX_FILE: join(folder, 'index') };
  const none = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    HOME: '/nonexistent',
  };
  const env = { PATH, LC_ALL: 'C', GIT_LITERAL_PATHSPECS: '1', GIT_TERMINAL_PROMPT: '0', ...none, ...own };
  const limits = { msMax: MS_MAX, ...(bytesMax !== undefined && { bytesMax }), ...(input && { input }) };
  const result = said(await run(['git', '--no-pager', ...words], { clock, env, cwd, ...limits }));
  const isLost = !result.ok && result.why.includes('alternate object path');
  return isLost ? { ok: false, why: `the repository of ${root}, which has the unchanged files, is gone` } : result;
}

/** Makes the repository of ours for a folder, or says why its files cannot be kept. */
export async function makeShadow(workspace: string, folder: string, clock: Clock): Promise<Place | { why: string }> {
  if (!existsSync(workspace)) return { why: 'the folder is gone' };
  const ask = (words: readonly string[]): Promise<Said> => userGit(workspace, words, clock);
  const paths = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-dir', '--git-common-dir'];
  const found = await ask([...paths, '--show-object-format']);
  if (!found.ok && found.why === MISSING) return found;
  const [root = '', own = '', common = '', format = 'sha1'] = found.ok ? found.out.toString().trim().split('\n') : [];
  const isRepository = found.ok && root !== '';
  if (!isRepository && (isWide(workspace) || !(await isSmall(workspace, IGNORED, clock))))
    return { why: 'the folder is not in a git repository, and is too large to copy' };
  const place = { root: isRepository ? root : workspace, folder };
  makeFolder(join(folder, 'objects', 'info'));
  for (const name of ['refs', 'info']) makeFolder(join(folder, name));
  const settings = isRepository ? settingsIn(await ask(['config', '--get-regexp', SETTINGS])) : [];
  writeFileSync(join(folder, 'config'), configText(format, settings));
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
  if (isRepository) adopt(folder, own, common);
  else writeFileSync(join(folder, 'info', 'exclude'), `${IGNORED.join('\n')}\n`);
  writeFileSync(join(folder, 'root'), place.root);
  return place;
}

/** The repository of ours that was made before; null: none was. */
export function knownShadow(folder: string): Place | null {
  const file = join(folder, 'root');
  return existsSync(file) ? { root: readFileSync(file, 'utf8'), folder } : null;
}

/** The index says which files are unchanged, so that they need not be read; its time is part of that. */
function adopt(folder: string, own: string, common: string): void {
  writeFileSync(join(folder, 'objects', 'info', 'alternates'), `${join(common, 'objects')}\n`);
  const excluded = join(common, 'info', 'exclude');
  if (existsSync(excluded)) copyFileSync(excluded, join(folder, 'info', 'exclude'));
  const shared = readdirSync(own).filter((name) => name.startsWith('sharedindex.'));
  for (const name of ['index', ...shared]) {
    const file = join(own, name);
    if (!existsSync(file)) continue;
    // Before the copy: a write in between makes files look changed, which costs a little and is never wrong.
    const { mtimeMs } = statSync(file);
    copyFileSync(file, join(folder, name));
    utimesSync(join(folder, name), Math.floor(mtimeMs / 1_000), Math.floor(mtimeMs / 1_000));
  }
}

async function userGit(cwd: string, words: readonly string[], clock: Clock): Promise<Said> {
  const { PATH = '/usr/bin:/bin', HOME = '/nonexistent', XDG_CONFIG_HOME } = ENVIRONMENT;
  const env = { PATH, HOME, ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' };
  return said(await run(['git', '--no-optional-locks', '--no-pager', ...words], { clock, env, cwd, msMax: MS_MAX }));
}

function said(ran: Awaited<ReturnType<typeof run>>): Said {
  switch (ran.end) {
    case 'exited': {
      const why = ran.stderr.trim().slice(-WHY_CHARS_MAX) || `git exited with ${ran.status}`;
      return ran.status === 0 ? { ok: true, out: ran.stdout } : { ok: false, why };
    }
    case 'unstarted':
      return { ok: false, why: ran.errno === 'ENOENT' ? MISSING : `git could not be started: ${errnoText(ran.errno)}` };
    case 'late':
      return { ok: false, why: `git took more than ${MS_MAX / 1_000} s` };
    case 'flooded':
      return { ok: false, why: 'it has too many changed files' };
  }
}

function settingsIn(found: Said): readonly (readonly [string, string])[] {
  const lines = found.ok ? found.out.toString().trim().split('\n') : [];
  return lines.flatMap((line) => {
    const [, name = '', value = ''] = /^core\.(\w+) (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, value] as const];
  });
}

function configText(format: string, settings: readonly (readonly [string, string])[]): string {
  const { HOME = '', XDG_CONFIG_HOME } = ENVIRONMENT;
  const home = (path: string): string => path.replace(/^~\//, `${HOME}/`);
  const usual = join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'ignore');
  const all = new Map<string, string>([['excludesfile', usual], ...settings]);
  const quoted = (value: string): string => `"${home(value).replace(/[\\"]/g, '\\$&')}"`;
  const isOld = format === 'sha1';
  return [
    ...['[core]', `repositoryformatversion = ${isOld ? 0 : 1}`, 'bare = false'],
    ...[...all].map(([name, value]) => `${name} = ${quoted(value)}`),
    ...(isOld ? [] : ['[extensions]', `objectformat = ${format}`]),
    '',
  ].join('\n');
}

/** Folders in which everything of a person or of the machine is. */
function isWide(folder: string): boolean {
  return ['/', tmpdir(), homedir(), ENVIRONMENT.HOME].includes(folder);
}
